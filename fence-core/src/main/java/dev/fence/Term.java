package dev.fence;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One term: both callbacks on one thread, so that they come in order and never overlap. The term is a piece of work under
 * its lease that ends with the return of {@code onDemoted}: giving the lease back waits for it.
 */
final class Term {

    private static final Logger LOG = LoggerFactory.getLogger(Term.class);
    /** The loss is told; this only bounds how long it could go unnoticed if it were not. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final Lease lease;
    private final Candidate candidate;
    private final Leadership leadership;
    private final Lease.Work untilDemoted;
    private final Interruptible electing = new Interruptible();
    /** The lease is over, or should be. */
    private final CompletableFuture<Boolean> toEnd = new CompletableFuture<>();
    /** The lease is over. */
    private final CompletableFuture<LossReason> over = new CompletableFuture<>();
    /** The callbacks are over. */
    private final CompletableFuture<Boolean> done = new CompletableFuture<>();

    private final Thread thread;

    /** @throws LeaseLostException if the lease is over already */
    Term(Lease lease, Map<ElectionResource<?>, FencedWriter<?>> writers, Candidate candidate) {
        this.lease = lease;
        this.candidate = candidate;
        this.leadership = new Leadership(lease, writers, this::stepDown);
        this.untilDemoted = lease.begin();
        this.thread = new Thread(this::callBack, "fence-election-" + lease.name() + "-" + lease.token());
        thread.setDaemon(true);
    }

    Leadership leadership() {
        return leadership;
    }

    void start() {
        lease.onLoss(this::isOver);
        thread.start();
    }

    private void isOver(LossReason reason) {
        over.complete(reason);
        toEnd.complete(true);
        electing.interrupt();
    }

    void stepDown() {
        toEnd.complete(true);
    }

    /** Returns when the lease is over by our own clock, whether or not anybody told, or a step-down was asked for. */
    void awaitEnd() throws InterruptedException {
        while (!(lease.state() instanceof LeaseState.Lost) && !toEnd.isDone()) {
            Duration left = lease.remaining().plusMillis(1);
            within(toEnd, left.compareTo(LOOK) < 0 ? left : LOOK);
        }
    }

    /** Gives the lease back once the work has ended, in the order and the bounds of {@link Lease#release}. */
    void release() {
        lease.release();
        if (lease.state() instanceof LeaseState.Lost lost) {
            isOver(lost.reason());
        }
    }

    /** Whether {@code onDemoted} has returned. */
    boolean awaitDemoted(Duration longest) throws InterruptedException {
        return within(done, longest);
    }

    boolean runsOn(Thread other) {
        return thread == other;
    }

    private void callBack() {
        try {
            if (elect()) {
                LossReason reason = over.join();
                candidate.onDemoted(leadership, reason);
            }
        } catch (RuntimeException | Error e) {
            LOG.warn("onDemoted of {} failed", leadership, e);
        } finally {
            untilDemoted.close();
            done.complete(true);
        }
    }

    /** Whether {@code onElected} was called: who was not elected is not demoted. */
    private boolean elect() {
        boolean[] called = new boolean[1];
        try {
            electing.<Boolean, Exception>run(() -> {
                if (leadership.isOver()) {
                    return false;
                }
                called[0] = true;
                candidate.onElected(leadership);
                return true;
            });
        } catch (Exception | Error e) {
            if (over.isDone()) {
                LOG.debug("onElected of {} was cut short", leadership, e);
            } else {
                LOG.warn("onElected of {} failed: stepping down", leadership, e);
            }
            stepDown();
        }
        return called[0];
    }

    private static boolean within(CompletableFuture<Boolean> future, Duration longest) throws InterruptedException {
        try {
            return future.get(longest.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e); // completed normally only
        }
    }
}
