package dev.fence.benchmarks.etcd;

import dev.fence.Lease;
import dev.fence.LeaseSettings;
import dev.fence.Leases;
import io.etcd.jetcd.api.lock.LockResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** From the beginning of a release until the next has been told, while so many wait; and what that costs etcd. */
final class HandOver {

    private static final Duration LONG = Duration.ofMinutes(5);

    /** With 1000 waiting, the lock service of etcd 3.4.23 handed nothing over within a minute. */
    private static final int MOST_AT_THE_LOCK_SERVICE = 100;

    private HandOver() {}

    static List<Result> measure(Etcd etcd, Leases leases, int waiters, int turns) throws Exception {
        Samples times = new Samples();
        String measure = "hand-over, " + waiters + " waiting";
        double[] fence = {};
        double[] service = {};
        for (int done = 0; done < turns; done += waiters) {
            fence = fence(etcd, leases, waiters, turns, times);
            if (waiters <= MOST_AT_THE_LOCK_SERVICE) {
                service = lockService(etcd, waiters, turns, times);
            }
        }
        List<Result> results = new ArrayList<>(times.medians(measure, "fence"));
        results.add(new Result(measure + ", calls", "fence", fence[0], "calls", 1));
        for (double calls : service) {
            results.add(new Result(
                    measure + ", calls", "etcd's lock service, from outside", calls, "calls", calls / fence[0]));
        }
        results.add(new Result(measure + ", events", "fence", fence[1], "events", 1));
        return results;
    }

    private static double[] fence(Etcd etcd, Leases leases, int waiters, int turns, Samples times) throws Exception {
        String name = "hand-over-" + waiters;
        Lease held = leases.acquire(name, LONG);
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        for (int i = 0; i < waiters; i++) {
            waiting.add(leases.acquireAsync(name, LONG, LeaseSettings.DEFAULTS));
        }
        settle(etcd);
        long calls = kvCalls(etcd);
        long events = etcd.events();
        int done = Math.min(turns, waiters);
        for (int i = 0; i < done; i++) {
            long start = System.nanoTime();
            held.close();
            held = next(waiting);
            times.add("fence", System.nanoTime() - start);
        }
        double[] each = {(kvCalls(etcd) - calls) / (double) done, (etcd.events() - events) / (double) done};
        waiting.forEach(asked -> asked.cancel(true));
        held.close();
        return each;
    }

    private static double[] lockService(Etcd etcd, int waiters, int turns, Samples times) throws Exception {
        String name = "lock-hand-over-" + waiters;
        List<Future<LockResponse>> waiting = new ArrayList<>();
        LockResponse held = etcd.lock(name, etcd.lease()).get(1, TimeUnit.MINUTES);
        for (int i = 0; i < waiters; i++) {
            waiting.add(etcd.lock(name, etcd.lease()));
            if (i == 0) {
                settle(etcd); // the first to wait is the first in the queue
            }
        }
        settle(etcd);
        long calls = etcd.calls("etcdserverpb.KV") + etcd.calls("v3lockpb");
        int done = Math.min(turns, waiters);
        for (int i = 0; i < done; i++) {
            long start = System.nanoTime();
            etcd.unlock(held.getKey());
            held = next(waiting);
            times.add("etcd's lock service", System.nanoTime() - start);
        }
        double each = (etcd.calls("etcdserverpb.KV") + etcd.calls("v3lockpb") - calls) / (double) done;
        waiting.forEach(asked -> asked.cancel(true));
        etcd.unlock(held.getKey());
        return new double[] {each};
    }

    /** Requests of one connection may overtake each other, so whoever is granted next is not known beforehand. */
    private static <T> T next(List<? extends Future<T>> waiting) throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (System.nanoTime() - end < 0) {
            for (Iterator<? extends Future<T>> each = waiting.iterator(); each.hasNext(); ) {
                Future<T> asked = each.next();
                if (asked.isDone()) {
                    each.remove();
                    return asked.get();
                }
            }
            TimeUnit.MICROSECONDS.sleep(20);
        }
        throw new IllegalStateException("none of " + waiting.size() + " was next");
    }

    private static long kvCalls(Etcd etcd) throws IOException {
        return etcd.calls("etcdserverpb.KV");
    }

    /** Until no further request arrives. */
    private static void settle(Etcd etcd) throws Exception {
        long before;
        long now = -1;
        do {
            before = now;
            TimeUnit.MILLISECONDS.sleep(300);
            now = etcd.calls("");
        } while (now != before);
    }
}
