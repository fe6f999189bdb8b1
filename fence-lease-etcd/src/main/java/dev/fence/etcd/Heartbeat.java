package dev.fence.etcd;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends one heartbeat after the other: the next is due a fixed time after the last was sent, or soon after one failed. */
final class Heartbeat {

    private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

    private final ScheduledExecutorService scheduler;
    private final Supplier<CompletableFuture<?>> beat;
    private final Duration every;
    private final Duration afterFailure;
    private volatile boolean stopped;

    /** @param beat sends one, which fails if it was not answered in time; must not block */
    Heartbeat(
            ScheduledExecutorService scheduler,
            Supplier<CompletableFuture<?>> beat,
            Duration every,
            Duration afterFailure) {
        this.scheduler = scheduler;
        this.beat = beat;
        this.every = every;
        this.afterFailure = afterFailure;
    }

    /** The session was asked for {@code agoNanos} ago: if that took long, the first heartbeat is soon due. */
    void start(long agoNanos) {
        schedule(every.toNanos() - agoNanos);
    }

    /** No heartbeat is sent after this, but for one that is being sent. */
    void stop() {
        stopped = true;
    }

    private void schedule(long nanos) {
        Future<?> unused = scheduler.schedule(this::next, nanos, TimeUnit.NANOSECONDS);
    }

    private void next() {
        if (stopped) {
            return;
        }
        long sent = System.nanoTime();
        try {
            Waits.then(beat.get(), (answer, failure) -> {
                if (failure == null) {
                    schedule(every.toNanos() - (System.nanoTime() - sent));
                } else {
                    schedule(afterFailure.toNanos());
                }
            });
        } catch (RuntimeException e) {
            LOG.warn("a heartbeat could not be sent", e);
            schedule(afterFailure.toNanos());
        }
    }
}
