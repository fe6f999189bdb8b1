package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.Lease;
import dev.fence.LeaseSettings;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** C25: growth of lock records. */
class C25NothingIsLeftIT extends EtcdCase {

    @Test
    void neitherNamesNorFailedAttemptsLeaveAnything() throws Exception {
        EtcdLeases leases = openCalm();
        for (int i = 0; i < 300; i++) {
            leases.acquire("order/" + i, LONG).close();
        }
        try (Lease held = leases.acquire("taken", LONG)) {
            for (int i = 0; i < 300; i++) {
                assertThat(leases.tryAcquire("taken")).isEmpty();
            }
            assertThat(raw.keys("")).hasSize(2); // the session's key and that of "taken"
            assertThat(raw.stored("")).allMatch(kv -> kv.getLease() != 0);
            held.confirm();
        }
        leases.close();
        assertThat(raw.keys("")).isEmpty();
    }

    /** The timer that would have ended the wait knows the lease. */
    @Test
    void aGrantThatMightHaveBeenWaitedForMuchLongerIsKeptNoLongerThanItsLease() throws Exception {
        EtcdLeases leases = open();
        List<WeakReference<Lease>> granted = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Lease lease = leases.acquireAsync("order/" + i, Duration.ofHours(1), LeaseSettings.DEFAULTS)
                    .toCompletableFuture()
                    .get(10, TimeUnit.SECONDS);
            lease.close();
            granted.add(new WeakReference<>(lease));
        }
        soon().until(() -> {
            System.gc();
            return granted.stream().allMatch(lease -> lease.get() == null);
        });
    }

    @Test
    void aNameThatIsAskedForAgainHasAHigherToken() throws Exception {
        EtcdLeases leases = openCalm();
        Lease before = leases.acquire("a", LONG);
        before.close();
        raw.keys("q/").forEach(raw::delete);
        try (Lease after = leases.acquire("a", LONG)) {
            assertThat(after.token().isNewerThan(before.token())).isTrue();
        }
    }
}
