package dev.fence.etcd;

import dev.fence.Candidate;
import dev.fence.Leadership;
import dev.fence.LossReason;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Writes down what it is called with, and does what a test wants in each call. */
final class RecordingCandidate implements Candidate {

    /** @param what {@code elected}, {@code demoted} and a reason, {@code stopped} when the demotion returned, or {@code failed} */
    record Event(String what, long epoch) {}

    interface Action {
        void run(Leadership leadership) throws Exception;
    }

    private final List<Event> all = new CopyOnWriteArrayList<>();
    private final BlockingQueue<Event> unread = new LinkedBlockingQueue<>();
    private final AtomicInteger inside = new AtomicInteger();
    final List<RuntimeException> failures = new CopyOnWriteArrayList<>();
    volatile Action whenElected = leadership -> {};
    volatile Action whenDemoted = leadership -> {};
    volatile boolean overlapped;

    @Override
    public void onElected(Leadership leadership) throws Exception {
        overlapped |= inside.incrementAndGet() > 1;
        try {
            record("elected", leadership);
            whenElected.run(leadership);
        } finally {
            inside.decrementAndGet();
        }
    }

    @Override
    public void onDemoted(Leadership ended, LossReason reason) {
        overlapped |= inside.incrementAndGet() > 1;
        try {
            record("demoted " + reason.kind(), ended);
            whenDemoted.run(ended);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        } finally {
            inside.decrementAndGet();
            record("stopped", ended);
        }
    }

    @Override
    public void onFailed(RuntimeException why) {
        failures.add(why);
    }

    private void record(String what, Leadership leadership) {
        Event event = new Event(what, leadership.epoch().value());
        all.add(event);
        unread.add(event);
    }

    /** The next event, which must be this one. */
    long next(String what) throws InterruptedException {
        return nextOf(what);
    }

    /** The next event, which must be one of these. */
    long nextOf(String... what) throws InterruptedException {
        Event event = unread.poll(20, TimeUnit.SECONDS);
        if (event == null || !List.of(what).contains(event.what())) {
            throw new AssertionError(
                    "wanted one of " + List.of(what) + ", got " + event + " in " + all + ", failures " + failures);
        }
        return event.epoch();
    }

    List<Event> all() {
        return List.copyOf(all);
    }
}
