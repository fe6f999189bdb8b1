package dev.fence.etcd;

import dev.fence.Lease;
import dev.fence.LeaseTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A wait for a lease that no thread stands for: what comes from the network goes on, and a timer ends it. A thread is needed
 * for a moment when the lease is granted.
 */
final class FutureLease {

    private final EtcdSession session;
    private final Acquisition acquisition;
    private final String name;
    private final Duration wait;
    private final Function<HeldKey, Lease> toLease;
    private final CompletableFuture<Lease> future = new CompletableFuture<>();

    private FutureLease(
            EtcdSession session,
            Acquisition acquisition,
            String name,
            Duration wait,
            Function<HeldKey, Lease> toLease) {
        this.session = session;
        this.acquisition = acquisition;
        this.name = name;
        this.wait = wait;
        this.toLease = toLease;
    }

    /**
     * Starts to wait.
     *
     * @param toLease what to make of a grant
     */
    static CompletableFuture<Lease> start(
            EtcdSession session,
            Acquisition acquisition,
            String name,
            Duration wait,
            Function<HeldKey, Lease> toLease) {
        FutureLease waiting = new FutureLease(session, acquisition, name, wait, toLease);
        // Whoever completes it otherwise, as by cancelling, gives up the place. After a grant this does nothing.
        Waits.then(waiting.future, (lease, failure) -> acquisition.leave());
        Waits.then(acquisition.placed(), waiting::placed);
        Waits.then(acquisition.granted().thenApply(waiting::granted), waiting::failed);
        acquisition.start();
        Future<?> timer = session.workers().timer().schedule(waiting::timeOut, wait.toNanos(), TimeUnit.NANOSECONDS);
        // Or the timer would keep what was granted long ago for as long as it might have been waited for.
        Waits.then(waiting.future, (lease, failure) -> timer.cancel(false));
        return waiting.future;
    }

    private void placed(@Nullable Boolean first, @Nullable Throwable failure) {
        if (first != null && !first && !wait.isZero()) {
            session.workers()
                    .blocking()
                    .execute(() -> session.settings().events().waiting(name));
        }
    }

    private boolean granted(Optional<HeldKey> key) {
        // On a thread of its own: it may block, should the session be closing.
        key.ifPresent(held -> session.workers().blocking().execute(() -> take(held)));
        return key.isPresent();
    }

    private void failed(@Nullable Boolean granted, @Nullable Throwable failure) {
        if (failure != null) {
            Throwable cause = failure.getCause();
            future.completeExceptionally(failure instanceof CompletionException && cause != null ? cause : failure);
        }
    }

    private void take(HeldKey key) {
        try {
            Lease lease = toLease.apply(key);
            if (!future.complete(lease)) {
                lease.close(); // granted in the moment of cancelling: nobody has it
            }
        } catch (RuntimeException e) {
            future.completeExceptionally(e);
        }
    }

    private void timeOut() {
        if (future.isDone()) {
            return;
        }
        if (acquisition.placed().isDone()) {
            giveUp();
            return;
        }
        // However short the wait: without any answer nothing can be said. As soon as there is one, it is over.
        Waits.then(acquisition.placed(), (first, failure) -> session.workers().later(Duration.ZERO, this::giveUp));
        session.workers().later(session.answerTimeout(), this::giveUp);
    }

    private void giveUp() {
        if (future.isDone()) {
            return;
        }
        if (!acquisition.placed().isDone()) {
            future.completeExceptionally(session.unanswered(name, null));
            return;
        }
        // Empty: granted at this moment, and on its way.
        acquisition
                .leave()
                .ifPresent(left -> Waits.then(
                        left.copy()
                                .completeOnTimeout(
                                        Departure.SILENT,
                                        session.answerTimeout().toMillis(),
                                        TimeUnit.MILLISECONDS),
                        (first, failure) -> future.completeExceptionally(
                                new LeaseTimeoutException(name, wait, first == null ? Departure.SILENT : first))));
    }
}
