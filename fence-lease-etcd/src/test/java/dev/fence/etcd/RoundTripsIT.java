package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.Lease;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What an acquisition costs, by the service's own count of requests. */
@Isolated("counts at the shared server")
class RoundTripsIT extends EtcdCase {

    private long requests() throws Exception {
        return ServerCounts.of(etcd.endpoint()).calls("etcdserverpb.KV");
    }

    private long watches() throws Exception {
        return ServerCounts.of(etcd.endpoint()).messages("\"Watch\"");
    }

    @Test
    void withoutContentionOneToAcquireAndOneToRelease() throws Exception {
        EtcdLeases leases = openCalm();
        awaitQuiet();
        long before = requests();
        for (int i = 0; i < 20; i++) {
            leases.acquire("a", LONG).close();
        }
        for (int i = 0; i < 20; i++) {
            leases.tryAcquire("a").orElseThrow().close();
        }
        assertThat(requests() - before).isEqualTo(80);
    }

    @Test
    void aWatchedLeaseCostsOneToReleaseToo() throws Exception {
        long watches = watches();
        EtcdLeases leases = openCalm();
        Lease held = leases.acquire("a", LONG);
        soon().until(() -> watches() >= watches + 2); // of the session's key and of its own
        awaitQuiet();
        long before = requests();
        held.close();
        awaitQuiet(); // nothing is read to find out what the deletion means
        assertThat(requests() - before).isEqualTo(1);
    }

    @Test
    void aTakenLeaseCostsOneToTry() throws Exception {
        EtcdLeases leases = openCalm();
        try (Lease held = leases.acquire("a", LONG)) {
            awaitQuiet();
            long before = requests();
            assertThat(leases.tryAcquire("a")).isEmpty();
            assertThat(requests() - before).isEqualTo(1);
            held.confirm();
        }
    }

    @Test
    void aHandOverCostsOneReadHoweverManyWait() throws Exception {
        EtcdLeases leases = openCalm();
        Lease held = leases.acquire("a", LONG);
        CompletableFuture<Lease> next = LeasesContract.acquiring(leases, "a");
        soon().until(() -> raw.keys("q/").size() == 2);
        CompletableFuture<Lease> last = LeasesContract.acquiring(leases, "a");
        soon().until(() -> raw.keys("q/").size() == 3);
        awaitQuiet(); // each has read once more when its watch was there
        long before = requests();
        held.close();
        Lease second = next.get(20, TimeUnit.SECONDS);
        // one to release and one to read the queue, and nothing from who waits further back
        assertThat(requests() - before).isEqualTo(2);
        second.close();
        last.get(20, TimeUnit.SECONDS).close();
    }
}
