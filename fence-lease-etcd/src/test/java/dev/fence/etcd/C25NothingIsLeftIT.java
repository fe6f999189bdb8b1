package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.Lease;
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
