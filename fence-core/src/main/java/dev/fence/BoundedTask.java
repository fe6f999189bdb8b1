package dev.fence;

import dev.fence.spi.Checks;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A task of {@link Lease#run}, and what interrupts it. No thread stands by: the JDK's one timer thread looks now and then. */
final class BoundedTask {

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(365);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final Lease lease;
    private final long endNanos;
    private final Interruptible running = new Interruptible();
    private volatile boolean ended;
    private volatile boolean tookTooLong;
    private volatile @Nullable LossReason loss;

    private BoundedTask(Lease lease, Duration longest) {
        this.lease = lease;
        this.endNanos = System.nanoTime() + longest.toNanos();
    }

    static <R extends @Nullable Object, X extends Exception> R run(Lease lease, Duration longest, Lease.Task<R, X> task)
            throws X, InterruptedException, TimeoutException {
        BoundedTask bounded = new BoundedTask(lease, Checks.duration("longest", longest, SHORTEST, LONGEST));
        Lease.Work work = lease.begin();
        try {
            bounded.lookLater();
            return bounded.running.<R, X>run(task::run);
        } catch (InterruptedException e) {
            throw bounded.why(e, longest);
        } finally {
            bounded.ended = true;
            work.close();
        }
    }

    private InterruptedException why(InterruptedException interrupt, Duration longest) throws TimeoutException {
        LossReason reason = loss;
        if (reason != null) {
            LeaseLostException lost = new LeaseLostException(lease.grant(), reason);
            lost.addSuppressed(interrupt);
            throw lost;
        }
        if (tookTooLong) {
            TimeoutException late = new TimeoutException(
                    "the task under lease \"" + lease.name() + "\" was interrupted after " + longest);
            late.addSuppressed(interrupt);
            throw late;
        }
        return interrupt;
    }

    private void lookLater() {
        long left = Math.min(endNanos - System.nanoTime(), lease.remaining().toNanos());
        long nanos = Math.max(TimeUnit.MILLISECONDS.toNanos(1), Math.min(left, LOOK_NANOS));
        Executor later = CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, Runnable::run);
        later.execute(this::look);
    }

    private void look() {
        if (ended) {
            return;
        }
        if (lease.state() instanceof LeaseState.Lost lost) {
            loss = lost.reason();
            running.interrupt();
        } else if (System.nanoTime() - endNanos >= 0) {
            tookTooLong = true;
            running.interrupt();
        } else {
            lookLater();
        }
    }
}
