package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.BusyException;
import dev.fence.Lease;
import dev.fence.LeaseState;
import dev.fence.fixtures.Direction;
import dev.fence.fixtures.TcpProxy;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** After a lost session many ask at once, and one opens another for all. */
@Execution(ExecutionMode.CONCURRENT)
class ReopeningIT extends EtcdCase {

    /** A failure that was passed on is no new one: else each would keep the next from trying, and etcd be back unnoticed. */
    @Test
    void whoWaitedForAnothersAttemptFailsWithThatFailureAlone() throws Exception {
        TcpProxy proxy = proxy();
        EtcdLeases leases = open(brisk(through(proxy)));
        loseTheSession(leases);
        proxy.hold(Direction.TO_CLIENT);

        List<CompletableFuture<Lease>> asking = IntStream.range(0, 8)
                .mapToObj(i -> LeasesContract.acquiring(leases, "lease/" + i))
                .toList();
        for (CompletableFuture<Lease> one : asking) {
            assertThat(busyExceptionsIn(failureOf(one))).isBetween(1, 2);
        }

        proxy.pass();
        soon().until(() -> {
            try (Lease lease = leases.acquire("lease/0", LONG)) {
                return isHeld(lease);
            } catch (BusyException e) {
                return false;
            }
        });
    }

    private void loseTheSession(EtcdLeases leases) throws Exception {
        Lease lost = leases.acquire("a", LONG);
        raw.revokeSession();
        soon().until(() -> lost.state() instanceof LeaseState.Lost);
    }

    private static Throwable failureOf(CompletableFuture<Lease> asking) throws Exception {
        try {
            throw new AssertionError("granted: " + asking.get(30, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            return Objects.requireNonNull(e.getCause());
        }
    }

    private static int busyExceptionsIn(Throwable failure) {
        int count = 0;
        for (Throwable at = failure; at != null; at = at.getCause()) {
            count += at instanceof BusyException ? 1 : 0;
        }
        return count;
    }
}
