package dev.fence.spi;

import dev.fence.FenceEvents;
import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.LeaseLostException;
import dev.fence.LeaseSettings;
import dev.fence.LeaseState;
import dev.fence.LossReason;
import dev.fence.ReleaseOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state machine of one lease, the same for every lease service: HELD or UNCERTAIN as its session is, then LOST for good,
 * by the first of: the session's end, {@link #lost} from the service, {@code maxHold}, closing.
 *
 * <p>Closing: LOST(CLOSED) first, so that no new work begins and the listeners can signal running work; then the grace time;
 * then the release. Work that outlives the grace time keeps the record at the service until it ends, but for one time to
 * live at the most, as if this process had fallen silent. A release that the service did not answer is repeated until it
 * does or the session is over, since the session's heartbeat would keep the record alive.
 */
public final class ManagedLease implements Lease {

    private static final Logger LOG = LoggerFactory.getLogger(ManagedLease.class);

    private final Grant grant;
    private final LeaseSettings settings;
    private final SessionClock session;
    private final LeaseBackend backend;
    private final TimeSource time;
    private final FenceEvents events;
    private final long grantedNanos;

    private final WorkInFlight work = new WorkInFlight();
    private final List<Consumer<LossReason>> listeners = new ArrayList<>();
    private volatile @Nullable LossReason loss;
    private volatile @Nullable Future<?> scheduled;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CompletableFuture<ReleaseOutcome> released = new CompletableFuture<>();

    private ManagedLease(
            Grant grant,
            LeaseSettings settings,
            SessionClock session,
            LeaseBackend backend,
            TimeSource time,
            FenceEvents events) {
        this.grant = grant;
        this.settings = settings;
        this.session = session;
        this.backend = backend;
        this.time = time;
        this.events = SafeEvents.of(events);
        this.grantedNanos = time.nanoTime();
    }

    /** The lease of a grant that the service has just confirmed. */
    public static ManagedLease granted(
            Grant grant,
            LeaseSettings settings,
            SessionClock session,
            LeaseBackend backend,
            TimeSource time,
            FenceEvents events) {
        ManagedLease lease = new ManagedLease(grant, settings, session, backend, time, events);
        if (settings.maxHold().compareTo(LeaseSettings.DEFAULTS.maxHold()) < 0) {
            lease.checkMaxHoldLater();
        }
        return lease;
    }

    @Override
    public Grant grant() {
        return grant;
    }

    @Override
    public LeaseState state() {
        LossReason known = loss;
        if (known != null) {
            return new LeaseState.Lost(known);
        }
        if (heldFor() >= settings.maxHold().toNanos()) {
            lost(new LossReason(LossReason.Kind.MAX_HOLD, "held for " + settings.maxHold()));
            return state();
        }
        LeaseState now = session.state();
        if (now instanceof LeaseState.Lost over) {
            lost(over.reason());
            return state();
        }
        return now;
    }

    @Override
    public Duration remaining() {
        if (state() instanceof LeaseState.Lost) {
            return Duration.ZERO;
        }
        Duration ofHold = Duration.ofNanos(Math.max(0, settings.maxHold().toNanos() - heldFor()));
        Duration ofSession = session.remaining();
        return ofSession.compareTo(ofHold) < 0 ? ofSession : ofHold;
    }

    @Override
    public void confirm() {
        requireNotLost();
        try {
            backend.confirm(grant);
        } catch (LeaseLostException e) {
            lost(e.reason());
            throw e;
        }
        requireNotLost();
    }

    @Override
    public Work begin() {
        // Registered before the state is read: a close that comes between waits for this work, or this work sees the
        // close.
        Work begun = work.begin();
        if (state() instanceof LeaseState.Lost over) {
            begun.close();
            throw new LeaseLostException(grant, over.reason());
        }
        return begun;
    }

    /** Whether no work is in flight: then {@link #release} waits for nothing but the service. */
    public boolean isIdle() {
        return work.isIdle();
    }

    @Override
    public void onLoss(Consumer<LossReason> listener) {
        LossReason known;
        synchronized (listeners) {
            known = loss;
            if (known == null) {
                listeners.add(listener);
                return;
            }
        }
        tell(listener, known);
    }

    /** The lease module has learned that the lease is over. The first reason stays. */
    public void lost(LossReason reason) {
        if (!end(reason)) {
            return;
        }
        if (reason.kind() == LossReason.Kind.CLOSED) {
            leftByItsSession();
            return;
        }
        LOG.warn("lease {} is lost: {}", grant, reason);
        events.lost(grant, reason);
        if (reason.kind() == LossReason.Kind.MAX_HOLD) {
            // The session lives on and would keep the record for ever.
            backend.listeners().execute(this::release);
        }
    }

    /** The session was closed, and could not ask the service to release this lease. */
    private void leftByItsSession() {
        if (closing.compareAndSet(false, true)) {
            LOG.warn("lease {} is left to its time to live: its session is closed", grant);
            settle(ReleaseOutcome.LEFT_TO_TTL);
        }
    }

    private void settle(ReleaseOutcome outcome) {
        released.complete(outcome);
        events.released(grant, outcome);
    }

    @Override
    public ReleaseOutcome release() {
        if (closing.compareAndSet(false, true)) {
            end(new LossReason(LossReason.Kind.CLOSED, "closed by its holder"));
            Future<?> maxHoldCheck = scheduled;
            if (maxHoldCheck != null) {
                maxHoldCheck.cancel(false);
            }
            settle(giveBack());
        }
        return released.join();
    }

    /**
     * For a session that is about to end: asks once more for a lease that was closed and left to a later attempt, whose own
     * outcome stays what it was then.
     */
    public ReleaseOutcome releaseNow() {
        boolean closedBefore = closing.get();
        ReleaseOutcome outcome = release();
        return closedBefore && outcome == ReleaseOutcome.LEFT_TO_TTL ? askToRelease() : outcome;
    }

    /** The end of the longest hold frees the lease for the successor, though nobody asks. */
    private void checkMaxHoldLater() {
        scheduled = backend.timer()
                .schedule(
                        // Not on the timer, which others need: an event listener may take its time.
                        () -> backend.listeners().execute(this::checkMaxHold),
                        Math.max(1, settings.maxHold().toNanos() - heldFor()),
                        TimeUnit.NANOSECONDS);
    }

    private void checkMaxHold() {
        if (!(state() instanceof LeaseState.Lost)) {
            checkMaxHoldLater();
        }
    }

    private boolean end(LossReason reason) {
        boolean first;
        synchronized (listeners) {
            first = loss == null;
            if (first) {
                loss = reason;
            }
        }
        if (first) {
            listeners.forEach(listener -> tell(listener, reason)); // nobody adds to them once there is a loss
        }
        return first;
    }

    private void tell(Consumer<LossReason> listener, LossReason reason) {
        backend.listeners().execute(() -> {
            try {
                listener.accept(reason);
            } catch (RuntimeException e) {
                LOG.warn("a loss listener of lease {} failed", grant, e);
            }
        });
    }

    private ReleaseOutcome giveBack() {
        if (!work.awaitIdle(settings.grace())) {
            LOG.warn("lease {} is closed, but work is still running: not released before it ends", grant);
            releaseLater(time.nanoTime() + backend.ttl().toNanos());
            return ReleaseOutcome.LEFT_TO_TTL;
        }
        return askToRelease();
    }

    private ReleaseOutcome askToRelease() {
        try {
            return backend.release(grant) ? ReleaseOutcome.RELEASED : ReleaseOutcome.NOT_OWNER;
        } catch (RuntimeException e) {
            LOG.warn("lease {} could not be released, trying on", grant, e);
            releaseLater(time.nanoTime());
            return ReleaseOutcome.LEFT_TO_TTL;
        }
    }

    private void releaseLater(long atLatestNanos) {
        if (session.state() instanceof LeaseState.Lost) {
            return;
        }
        try {
            scheduled = backend.timer()
                    .schedule(
                            () -> backend.listeners().execute(() -> releaseOrRepeat(atLatestNanos)),
                            backend.ttl().toMillis() / 10,
                            TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // The session is being closed, and its heartbeat with it: the time to live decides. Thrown on, this would
            // leave a second closer waiting for ever.
            LOG.warn("lease {} is left to its time to live: its session is closed", grant);
        }
    }

    private void releaseOrRepeat(long atLatestNanos) {
        boolean due = work.isIdle() || time.nanoTime() - atLatestNanos >= 0;
        try {
            if (due) {
                backend.release(grant);
                return;
            }
        } catch (RuntimeException e) {
            LOG.debug("lease {} could still not be released", grant, e);
        }
        releaseLater(atLatestNanos);
    }

    private void requireNotLost() {
        if (state() instanceof LeaseState.Lost over) {
            throw new LeaseLostException(grant, over.reason());
        }
    }

    private long heldFor() {
        return time.nanoTime() - grantedNanos;
    }

    @Override
    public String toString() {
        return grant + " " + state();
    }
}
