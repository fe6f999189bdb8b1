package dev.fence.etcd;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Has the keys of held leases watched, but only of those that are held for longer than a moment. A watch begins after the
 * revision at which its key was read, so a later start misses nothing; and a lease given back at once, as most are, costs
 * etcd and the network thread no watch at all.
 */
final class LateWatches {

    /** Still within the second in which a loss is to be noticed. */
    private static final Duration MOMENT = Duration.ofMillis(200);

    private record Waiting(KeyWatch watch, long readRevision) {}

    private final Workers workers;
    private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean due = new AtomicBoolean();

    LateWatches(Workers workers) {
        this.workers = workers;
    }

    /** @param readRevision at which the key was there */
    void add(KeyWatch watch, long readRevision) {
        waiting.add(new Waiting(watch, readRevision));
        if (due.compareAndSet(false, true)) {
            workers.later(MOMENT, this::start);
        }
    }

    private void start() {
        due.set(false); // before the queue is read, or what is added meanwhile would stay in it
        for (Waiting next = waiting.poll(); next != null; next = waiting.poll()) {
            next.watch().start(next.readRevision());
        }
    }
}
