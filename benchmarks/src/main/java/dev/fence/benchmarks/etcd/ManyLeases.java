package dev.fence.benchmarks.etcd;

import dev.fence.Lease;
import dev.fence.LeaseSettings;
import dev.fence.etcd.EtcdLeases;
import dev.fence.etcd.EtcdSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Many leases under one session. */
final class ManyLeases {

    private ManyLeases() {}

    static List<Result> measure(Etcd etcd, EtcdSettings settings, int count, int seconds) throws Exception {
        String measure = count + " leases of one session";
        EtcdLeases leases = EtcdLeases.open(settings);
        long memory = usedMemory();
        long start = System.nanoTime();
        List<Lease> held = new ArrayList<>();
        for (int from = 0; from < count; from += 500) {
            List<CompletableFuture<Lease>> asked = new ArrayList<>();
            for (int i = from; i < Math.min(count, from + 500); i++) {
                asked.add(leases.acquireAsync("many/" + i, Duration.ofMinutes(1), LeaseSettings.DEFAULTS));
            }
            for (CompletableFuture<Lease> each : asked) {
                held.add(each.get(1, TimeUnit.MINUTES));
            }
        }
        double acquired = seconds(start);
        double bytes = (usedMemory() - memory) / (double) held.size();
        long beats = etcd.calls("LeaseKeepAlive");
        TimeUnit.SECONDS.sleep(seconds);
        double perMinute = (etcd.calls("LeaseKeepAlive") - beats) * 60.0 / seconds;
        if (held.stream().anyMatch(lease -> lease.remaining().isZero())) {
            throw new IllegalStateException("a lease was lost meanwhile");
        }
        start = System.nanoTime();
        leases.close();
        double closed = seconds(start);
        return List.of(
                new Result(measure + ", acquired within", "fence", acquired, "s", 1),
                new Result(measure + ", heap of each", "fence", bytes, "bytes", 1),
                new Result(measure + ", heartbeats in a minute", "fence", perMinute, "calls", 1),
                new Result(measure + ", closed within", "fence", closed, "s", 1));
    }

    private static double seconds(long startNanos) {
        return (System.nanoTime() - startNanos) / 1e9;
    }

    private static long usedMemory() throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            System.gc();
            TimeUnit.MILLISECONDS.sleep(100);
            least = Math.min(
                    least,
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        return least;
    }
}
