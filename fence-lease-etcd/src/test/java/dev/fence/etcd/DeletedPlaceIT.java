package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.Lease;
import dev.fence.LeaseLostException;
import io.etcd.jetcd.api.KeyValue;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** One key is left that was created before ours: that is somebody else's, and nothing is granted by it. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
@Execution(ExecutionMode.CONCURRENT) // they mostly wait
class DeletedPlaceIT extends EtcdCase {

    @Test
    void whoseOwnPlaceIsGoneIsNotFirstThoughOnlyOneIsLeft() throws Exception {
        EtcdLeases leases = open(brisk(etcd.endpoint())); // the queue is read again about every time to live
        Lease held = leases.acquire("s", LONG);
        CompletableFuture<Lease> middle = LeasesContract.acquiring(leases, "s");
        soon().until(() -> raw.keys("q/").size() == 2);
        CompletableFuture<Lease> last = LeasesContract.acquiring(leases, "s");
        soon().until(() -> raw.keys("q/").size() == 3);
        List<String> keys = raw.stored("q/").stream()
                .sorted(Comparator.comparing(KeyValue::getCreateRevision))
                .map(kv -> kv.getKey().toStringUtf8())
                .toList();

        raw.delete(keys.get(2));
        raw.delete(keys.get(1));

        assertThatThrownBy(() -> last.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> middle.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(LeaseLostException.class);
        assertThat(isHeld(held)).isTrue();
    }
}
