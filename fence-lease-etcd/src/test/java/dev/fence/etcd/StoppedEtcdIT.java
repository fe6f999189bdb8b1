package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.BusyException;
import dev.fence.Lease;
import dev.fence.LeaseState;
import dev.fence.SessionTiming;
import dev.fence.fixtures.EtcdServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** An etcd that is stopped, continued, killed and started again. */
class StoppedEtcdIT extends EtcdCase {

    private static final EtcdServer SERVER = EtcdServer.startOwn();

    StoppedEtcdIT() {
        super(SERVER);
    }

    @AfterAll
    static void end() {
        SERVER.close();
    }

    private EtcdSettings waitingForHeartbeats() {
        return settings(etcd.endpoint()).withTiming(SessionTiming.ofTtl(Duration.ofSeconds(10)));
    }

    @Test
    void backInTimeTheLeaseIsHeldWithTheSameToken() throws Exception {
        Lease lease = open(waitingForHeartbeats()).acquire("a", LONG);
        etcd.stopProcess();
        try {
            soon().until(() -> isUncertain(lease));
        } finally {
            etcd.continueProcess();
        }
        soon().until(() -> isHeld(lease));
        lease.confirm();
    }

    @Test
    void aServiceThatStaysSilentEndsTheLeaseByOurOwnClockBeforeItsTimeToLive() throws Exception {
        EtcdLeases leases = open(brisk(etcd.endpoint()));
        Lease lease = leases.acquire("a", LONG);
        etcd.stopProcess();
        long stopped = System.nanoTime();
        try {
            soon().until(() -> {
                Duration since = Duration.ofNanos(System.nanoTime() - stopped);
                if (lease.state() instanceof LeaseState.Lost lost) {
                    assertThat(isOverdue(lost.reason().kind())).as("%s", lost).isTrue();
                    return true;
                }
                assertThat(since).isLessThan(BRISK);
                return false;
            });
            long asked = System.nanoTime();
            assertThatThrownBy(() -> leases.acquire("b", LONG))
                    .isInstanceOf(BusyException.class)
                    .hasMessageContaining(etcd.endpoint());
            assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(LONG);
        } finally {
            etcd.continueProcess();
        }
        raw.keys(""); // it answers again
        try (Lease again = leases.acquire("b", LONG)) {
            assertThat(again.token().isNewerThan(lease.token())).isTrue();
        }
    }

    @Test
    void aRestartOfTheServiceIsSurvived() throws Exception {
        Lease lease = open().acquire("a", LONG);
        CompletableFuture<Lease> waiting = LeasesContract.acquiring(open(), "a");
        soon().until(() -> raw.keys("q/").size() == 2);

        etcd.restart();
        soon().until(() -> isHeld(lease));
        lease.confirm();
        lease.close();
        try (Lease next = waiting.get(20, TimeUnit.SECONDS)) {
            next.confirm();
        }
    }
}
