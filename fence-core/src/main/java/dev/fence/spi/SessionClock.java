package dev.fence.spi;

import dev.fence.LeaseState;
import dev.fence.LossReason;
import dev.fence.SessionTiming;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a process knows about its session, by its own clock.
 *
 * <p>The session is good until <em>the moment just before the last confirmed heartbeat was sent</em> + granted time to live
 * − reserve. The service cannot have counted from earlier than that, so it cannot have given the lease away before, however
 * late the answer came. Counting from the answer instead would add the time of the way back.
 *
 * <p>Everything is computed when asked: after a pause the first question already gets the right answer, before any thread of
 * ours has run. A session that was over once, by this clock, stays over, even if nobody looked and a late answer says that
 * the service still had it.
 *
 * <p>Elapsed time decides. Where the wall clock went differently by more than the margin since the last confirmed heartbeat
 * (a suspended machine whose elapsed clock stood still, or a stepped wall clock), the session is uncertain until the next.
 *
 * <p>Safe for use by several threads; nothing blocks.
 */
public final class SessionClock {

    private final TimeSource time;
    private final SessionTiming timing;
    private final PauseMeter pauses;
    private volatile Confirmed confirmed;
    private volatile long lastSentNanos;
    private volatile @Nullable LossReason loss;
    private volatile @Nullable String trouble;

    /** Both clocks, read just before a heartbeat is sent. */
    public record Sending(long nanos, long wallMillis) {}

    private record Confirmed(Sending sent, long goodForNanos) {}

    /**
     * Starts with the answer to the request that created the session.
     *
     * @param sent taken by {@link #sending} before that request left
     * @param granted the time to live that the service granted, which may differ from the one asked for
     */
    public SessionClock(TimeSource time, SessionTiming timing, Sending sent, Duration granted) {
        this(time, timing, sent, granted, new PauseMeter(time));
    }

    /**
     * Starts likewise.
     *
     * @param pauses explains a loss: this process may have stood still
     */
    public SessionClock(TimeSource time, SessionTiming timing, Sending sent, Duration granted, PauseMeter pauses) {
        this.time = time;
        this.timing = timing;
        this.pauses = pauses;
        this.confirmed = confirm(sent, granted);
        this.lastSentNanos = sent.nanos();
    }

    /** To be taken before a request leaves. */
    public static Sending sending(TimeSource time) {
        return new Sending(time.nanoTime(), time.wallTimeMillis());
    }

    /** {@link #sending(TimeSource)}, and notes that this process is alive enough to send. */
    public Sending sending() {
        Sending now = sending(time);
        lastSentNanos = now.nanos();
        return now;
    }

    /** The service confirmed the heartbeat that left at {@code sent}. An answer that comes after the end changes nothing. */
    public synchronized void confirmed(Sending sent, Duration granted) {
        boolean newer = sent.nanos() - confirmed.sent().nanos() > 0;
        if (newer && !(state() instanceof LeaseState.Lost)) {
            confirmed = confirm(sent, granted);
            trouble = null;
        }
    }

    /** A heartbeat was not answered: uncertain until one is, or until the end. */
    public void unanswered(String why) {
        trouble = why;
    }

    /** The session is over, by the service's word or by our own decision. The first reason stays. */
    public synchronized void lost(LossReason reason) {
        if (loss == null) {
            loss = reason;
        }
    }

    /** Held, uncertain or lost, as of this call. */
    public LeaseState state() {
        LossReason known = loss;
        if (known != null) {
            return new LeaseState.Lost(known);
        }
        Confirmed last = confirmed;
        long elapsed = time.nanoTime() - last.sent().nanos();
        if (elapsed >= last.goodForNanos()) {
            lost(overdue(last, elapsed));
            return state();
        }
        return doubt(last, elapsed);
    }

    /** What is left until this process must hold the session for over; zero once it is. */
    public Duration remaining() {
        Confirmed last = confirmed;
        long left = last.goodForNanos() - (time.nanoTime() - last.sent().nanos());
        return state() instanceof LeaseState.Lost ? Duration.ZERO : Duration.ofNanos(Math.max(0, left));
    }

    private Confirmed confirm(Sending sent, Duration granted) {
        return new Confirmed(sent, granted.minus(timing.reserve()).toNanos());
    }

    private LeaseState doubt(Confirmed last, long elapsed) {
        long wallMillis = time.wallTimeMillis() - last.sent().wallMillis();
        long apart = Math.abs(wallMillis - TimeUnit.NANOSECONDS.toMillis(elapsed));
        if (apart > timing.margin().toMillis()) {
            return new LeaseState.Uncertain(
                    "elapsed time and wall clock went apart by " + apart + " ms since the last confirmed heartbeat");
        }
        String known = trouble;
        return known == null ? new LeaseState.Held() : new LeaseState.Uncertain(known);
    }

    private LossReason overdue(Confirmed last, long elapsed) {
        long silentFor = time.nanoTime() - lastSentNanos;
        long stoodStill = pauses.longestSince(last.sent().nanos()).toNanos();
        String pause = stoodStill == 0 ? "" : "; this process stood still for " + millis(stoodStill) + " ms of them";
        if (silentFor >= last.goodForNanos()) {
            return new LossReason(
                    LossReason.Kind.PAUSED, "no heartbeat was sent for " + millis(silentFor) + " ms" + pause);
        }
        // Without the pause there would have been time for a heartbeat more: then it is to blame, whatever else was.
        boolean paused = elapsed - stoodStill + timing.heartbeatEvery().toNanos() <= last.goodForNanos();
        String known = trouble;
        return new LossReason(
                paused ? LossReason.Kind.PAUSED : LossReason.Kind.EXPIRED,
                "no heartbeat was confirmed for " + millis(elapsed) + " ms" + pause
                        + (known == null ? "" : ": " + known));
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
