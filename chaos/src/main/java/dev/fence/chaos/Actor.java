package dev.fence.chaos;

import dev.fence.BusyException;
import dev.fence.FenceException;
import dev.fence.Lease;
import dev.fence.LeaseLostException;
import dev.fence.LeaseSettings;
import dev.fence.LeaseState;
import dev.fence.LeaseTimeoutException;
import dev.fence.Leases;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Asks for leases and notes what it was told. Each note is timed so that it can accuse nobody wrongly: a claim to hold counts
 * from before it was asked for, a grant from after it was there.
 */
final class Actor {

    private final String who;
    private final Consumer<Event> history;

    Actor(String who, Consumer<Event> history) {
        this.who = who;
        this.history = history;
    }

    void note(What what, String lease, long token, String detail) {
        noteAt(System.nanoTime(), what, lease, token, detail);
    }

    void note(What what, Lease lease, String detail) {
        note(what, lease.name(), lease.token().value(), detail);
    }

    private void noteAt(long at, What what, String lease, long token, String detail) {
        history.accept(new Event(at, who, what, lease, token, detail));
    }

    Optional<Lease> acquire(Leases leases, String name, Duration wait) throws InterruptedException {
        note(What.ASKED, name, 0, Long.toString(wait.toMillis()));
        try {
            return Optional.of(granted(leases.acquire(name, wait)));
        } catch (RuntimeException e) {
            return notGranted(name, e);
        }
    }

    Optional<Lease> tryAcquire(Leases leases, String name) throws InterruptedException {
        note(What.ASKED, name, 0, "0");
        try {
            Optional<Lease> lease = leases.tryAcquire(name);
            lease.ifPresentOrElse(this::granted, () -> note(What.NOT_GRANTED, name, 0, "taken"));
            return lease;
        } catch (RuntimeException e) {
            return notGranted(name, e);
        }
    }

    /** Asks, and changes its mind after a while. */
    Optional<Lease> acquireOrCancel(Leases leases, String name, Duration patience) throws InterruptedException {
        note(What.ASKED, name, 0, Long.toString(patience.toMillis()));
        CompletableFuture<Lease> asked = leases.acquireAsync(name, Duration.ofMinutes(1), LeaseSettings.DEFAULTS);
        try {
            return Optional.of(granted(asked.get(patience.toMillis(), TimeUnit.MILLISECONDS)));
        } catch (TimeoutException e) {
            asked.cancel(true);
        } catch (ExecutionException e) {
            return notGranted(name, Objects.requireNonNullElse(e.getCause(), e));
        }
        try {
            return Optional.of(granted(asked.join()));
        } catch (CancellationException e) {
            note(What.NOT_GRANTED, name, 0, "cancelled");
            return Optional.empty();
        }
    }

    private Lease granted(Lease lease) {
        note(What.GRANTED, lease, "");
        return lease;
    }

    private Optional<Lease> notGranted(String name, Throwable why) {
        note(What.NOT_GRANTED, name, 0, why.getClass().getSimpleName());
        boolean expected = why instanceof LeaseTimeoutException
                || why instanceof LeaseLostException
                || why instanceof BusyException;
        if (!expected) {
            note(What.WRONG, name, 0, "asking: " + why);
        }
        return Optional.empty();
    }

    /** Whether the lease says that it is not lost. */
    boolean claims(Lease lease) {
        long before = System.nanoTime();
        if (lease.state() instanceof LeaseState.Lost lost) {
            note(What.LOST, lease, lost.reason().kind().name());
            return false;
        }
        noteAt(before, What.CLAIMED, lease.name(), lease.token().value(), "");
        return true;
    }

    void confirm(Lease lease) {
        long before = System.nanoTime();
        try {
            lease.confirm();
            noteAt(before, What.CONFIRMED, lease.name(), lease.token().value(), "");
        } catch (BusyException | LeaseLostException e) {
            // told by the next claim, or not known
        } catch (FenceException e) {
            note(What.WRONG, lease, "confirming: " + e);
        }
    }

    void release(Lease lease) {
        note(What.RELEASED, lease, lease.release().name());
    }
}
