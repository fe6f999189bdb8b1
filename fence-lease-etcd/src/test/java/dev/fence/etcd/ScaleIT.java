package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.FencingToken;
import dev.fence.Lease;
import dev.fence.LeaseSettings;
import dev.fence.LeaseTimeoutException;
import dev.fence.SessionTiming;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Many waiters, many leases, many time-outs, many threads: one session, one watch stream, and nothing is left. */
@Timeout(120)
@Isolated("counts at the shared server and in this process")
class ScaleIT extends EtcdCase {

    /** The full figure where virtual threads are; a fifth on older machines keeps the suite short. */
    private static final boolean FULL = Runtime.version().feature() >= 21;

    private static List<CompletableFuture<Lease>> asking(EtcdLeases leases, String name, int count, Duration wait) {
        List<CompletableFuture<Lease>> asked = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            asked.add(leases.acquireAsync(name, wait, LeaseSettings.DEFAULTS));
        }
        return asked;
    }

    private static long threadsOfOurs() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("fence-"))
                .count();
    }

    @Test
    void aThousandWaitersNeedNoThreadsAndOneStreamAndAHandOverOneEventAndOneRead() throws Exception {
        EtcdLeases leases = openCalm();
        Lease held = leases.acquire("a", LONG);
        long threads = threadsOfOurs();
        long streams = ServerCounts.of(etcd.endpoint()).calls("\"Watch\"");
        List<CompletableFuture<Lease>> waiting = asking(leases, "a", 1_000, Duration.ofMinutes(2));
        soon().until(() -> raw.keys("q/").size() == 1_001);
        soon().until(() -> threadsOfOurs() <= threads); // those that told of the waiting have ended
        assertThat(ServerCounts.of(etcd.endpoint()).calls("\"Watch\"") - streams)
                .isZero();

        awaitQuiet(); // each has read once more when its watch was there
        for (int i = 0; i < 3; i++) {
            ServerCounts before = ServerCounts.of(etcd.endpoint());
            held.close();
            CompletableFuture<Object> next = CompletableFuture.anyOf(waiting.toArray(CompletableFuture<?>[]::new));
            held = (Lease) next.get(10, TimeUnit.SECONDS);
            ServerCounts after = ServerCounts.of(etcd.endpoint());
            assertThat(after.calls("etcdserverpb.KV") - before.calls("etcdserverpb.KV"))
                    .isEqualTo(2);
            assertThat(after.events() - before.events()).isEqualTo(1);
            waiting.removeIf(CompletableFuture::isDone);
        }
        waiting.forEach(asked -> asked.cancel(true));
        soon().until(() -> raw.keys("q/").size() == 1);
        held.close();
    }

    @Test
    void thousandsOfLeasesHangOnOneHeartbeat() throws Exception {
        EtcdLeases leases = open(settings(etcd.endpoint()).withTiming(SessionTiming.ofTtl(Duration.ofSeconds(9))));
        List<Lease> held = new ArrayList<>();
        for (int batch = 0; batch < (FULL ? 10 : 2); batch++) {
            List<CompletableFuture<Lease>> asked = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                asked.add(leases.acquireAsync("lease/" + batch + "/" + i, LONG, LeaseSettings.DEFAULTS));
            }
            for (CompletableFuture<Lease> each : asked) {
                held.add(each.get(30, TimeUnit.SECONDS));
            }
        }
        long before = ServerCounts.of(etcd.endpoint()).calls("LeaseKeepAlive");
        TimeUnit.SECONDS.sleep(5);
        // Every 3 s; a slow machine may need a second attempt.
        assertThat(ServerCounts.of(etcd.endpoint()).calls("LeaseKeepAlive") - before)
                .isBetween(1L, 4L);
        assertThat(held).hasSize(FULL ? 10_000 : 2_000).allMatch(EtcdCase::isHeld);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        threads.resetPeakThreadCount();
        int threadsBefore = threads.getThreadCount();
        leases.close();
        assertThat(threads.getPeakThreadCount() - threadsBefore).isLessThan(50);
        assertThat(raw.keys("")).isEmpty();
    }

    @Test
    void aLeaseGivenBackAtOnceIsNotWatched() throws Exception {
        EtcdLeases leases = openCalm();
        raw.keys(""); // and with it the watch of the session's key has come
        long watched = ServerCounts.of(etcd.endpoint()).messages("\"Watch\"");
        for (int i = 0; i < 20; i++) {
            leases.acquire("a", LONG).close();
        }
        Lease kept = leases.acquire("a", LONG);
        soon().until(() -> ServerCounts.of(etcd.endpoint()).messages("\"Watch\"") > watched);
        kept.close();
        // The one that was kept, and on a slow machine some others. Watching all would take 42.
        assertThat(ServerCounts.of(etcd.endpoint()).messages("\"Watch\"") - watched)
                .isLessThan(20);
    }

    @Test
    void thousandsOfTimeOutsLeaveNothing() throws Exception {
        EtcdLeases leases = openCalm();
        try (Lease held = leases.acquire("a", LONG)) {
            // Not all at once: etcd reads the whole queue for each who asks.
            for (int batch = 0; batch < (FULL ? 100 : 20); batch++) {
                for (CompletableFuture<Lease> asked : asking(leases, "a", 100, Duration.ofMillis(1))) {
                    assertThat(asked.handle((lease, failure) -> failure).get(30, TimeUnit.SECONDS))
                            .isInstanceOf(LeaseTimeoutException.class);
                }
            }
            // The session's key and that of "a"; a tombstone goes when the request behind it is answered.
            soon().until(() -> raw.keys("").size() == 2);
            held.confirm();
        }
    }

    /** A hundred for each name: etcd reads the whole queue for each who asks, so ten thousand of one name would wear it out. */
    @Test
    void manyThreadsThatWaitAreAllServedAndPinNoCarrier() throws Exception {
        EtcdLeases leases = openCalm();
        int count = FULL ? 10_000 : 300;
        ExecutorService threads = threads();
        Set<FencingToken> tokens = new HashSet<>();
        try (PinnedThreads pinned = PinnedThreads.record()) {
            List<Future<FencingToken>> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                String name = "name/" + i / 100;
                all.add(threads.submit(() -> {
                    try (Lease lease = leases.acquire(name, Duration.ofSeconds(100))) {
                        return lease.token();
                    }
                }));
            }
            for (Future<FencingToken> each : all) {
                tokens.add(each.get(100, TimeUnit.SECONDS));
            }
            assertThat(pinned.soFar()).isEmpty();
        } finally {
            threads.shutdownNow();
        }
        assertThat(tokens).hasSize(count);
        assertThat(raw.keys("q/")).isEmpty();
    }

    @Test
    void aPinnedCarrierWouldBeSeen() throws Exception {
        ExecutorService threads = threads();
        try (PinnedThreads pinned = PinnedThreads.record()) {
            threads.submit(PinnedThreads::pin).get(10, TimeUnit.SECONDS);
            assertThat(pinned.soFar().isEmpty()).isEqualTo(!FULL); // platform threads have no carrier
        } finally {
            threads.shutdownNow();
        }
    }

    /** A virtual thread for each where there are any, else platform threads. */
    private static ExecutorService threads() throws ReflectiveOperationException {
        return FULL
                ? (ExecutorService) Executors.class
                        .getMethod("newVirtualThreadPerTaskExecutor")
                        .invoke(null)
                : Executors.newFixedThreadPool(300);
    }
}
