package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.Lease;
import dev.fence.LeaseLostException;
import dev.fence.fixtures.Direction;
import dev.fence.fixtures.TcpProxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** C01: the lease runs out while its owner is still queueing. */
@Execution(ExecutionMode.CONCURRENT) // they mostly wait
class C01QueueOutlivesSessionIT extends EtcdCase {

    @Test
    void aWaiterWhoseHeartbeatsGoUnansweredIsToldSo() throws Exception {
        Lease held = open().acquire("s", LONG);
        TcpProxy proxy = proxy();
        EtcdLeases cutOff = open(brisk(through(proxy)));
        CompletableFuture<Lease> waiting = LeasesContract.acquiring(cutOff, "s");
        soon().until(() -> raw.keys("q/").size() == 2);

        proxy.hold(Direction.TO_SERVER);
        assertThatThrownBy(() -> waiting.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(LeaseLostException.class);
        soon().until(() -> raw.keys("q/").size() == 1);
        held.close();
        proxy.pass();
        try (Lease again = cutOff.acquire("s", LONG)) {
            again.confirm();
            assertThat(again.token().isNewerThan(held.token())).isTrue();
        }
    }

    @Test
    void aWaiterWhoseSessionWasRevokedIsToldSoAndNeverGranted() throws Exception {
        EtcdLeases other = open();
        EtcdLeases revoked = open();
        Lease held = other.acquire("s", LONG);
        CompletableFuture<Lease> waiting = LeasesContract.acquiring(revoked, "s");
        soon().until(() -> raw.keys("q/").size() == 2);

        raw.revokeSessionOf(raw.stored("q/").stream()
                .max((a, b) -> Long.compare(a.getCreateRevision(), b.getCreateRevision()))
                .orElseThrow());
        held.close();
        assertThatThrownBy(() -> waiting.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(LeaseLostException.class);
        assertThat(raw.keys("q/")).isEmpty();
    }

    @Test
    void aWaiterWhosePlaceWasDeletedIsToldSo() throws Exception {
        EtcdLeases leases = open();
        Lease held = leases.acquire("s", LONG);
        String first = onlyKey();
        CompletableFuture<Lease> waiting = LeasesContract.acquiring(leases, "s");
        soon().until(() -> raw.keys("q/").size() == 2);

        raw.keys("q/").stream().filter(key -> !key.equals(first)).forEach(raw::delete);
        held.close();
        assertThatThrownBy(() -> waiting.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(LeaseLostException.class);
        leases.acquire("s", LONG).close();
    }
}
