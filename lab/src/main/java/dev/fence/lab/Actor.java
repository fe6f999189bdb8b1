package dev.fence.lab;

import dev.fence.lab.Answer.Verdict;
import dev.fence.lab.Write.Reading;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A process: what it does next, and what it believes. */
final class Actor {

    static final long HEARTBEAT_MILLIS = LockService.TTL_MILLIS / 3;

    /** How much earlier than the lock service a process holds its lease for over: what its clock may be wrong by. */
    private static final long MARGIN_MILLIS = 1_000;

    private static final int DRIFT = 8;
    private static final long NEVER_HEARD = Long.MIN_VALUE / 2;

    /** What a process does next. */
    enum Stage {
        ACQUIRE,
        SEAL,
        READ,
        CHECK,
        WRITE
    }

    final int index;
    Stage stage = Stage.ACQUIRE;

    /** What it has, or asks for. */
    @Nullable
    Acquisition acquisition;

    boolean granted;
    /** Whose place in the queue is before its own; null if it has none. */
    @Nullable
    Acquisition behind;

    /** What each server of the lock service said when it was asked for the lock. */
    final @Nullable Verdict[] verdicts;
    /** The highest that those gave who said yes. */
    long token;

    /** For each server, when the last request was sent that it prolonged the lease for. */
    private final long[] heard;

    private final int quorum;
    /** At the lock service, 0 for none. It outlives its leases. */
    long session;

    long nextHeartbeat;
    /** Heartbeats that are on their way for long. As long as there is one, no other is sent. */
    int renewalsOut;

    Reading basis = Write.BEGINNING.basis();
    long pausedUntil;
    /** Its lease is confirmed, it was paused or waited, and will not look again before its next request. */
    boolean looked;
    /** The timeline that it had seen when its lease was confirmed. */
    int confirmedOn;
    /** The timeline that it had seen when it asked for a confirmation that is still to come, and who gave it. */
    int asksOn;

    int confirmations;
    /** It waits for the answer to a request that is late, until then. */
    long givesUpAt = LockService.NEVER;

    boolean cutOff;
    boolean deaf;
    boolean drifting;

    Actor(int index, LockService locks) {
        this.index = index;
        verdicts = new @Nullable Verdict[locks.servers()];
        heard = new long[locks.servers()];
        quorum = locks.quorum();
        Arrays.fill(heard, NEVER_HEARD);
    }

    String name() {
        return String.valueOf((char) ('A' + index));
    }

    Acquisition lease() {
        Acquisition present = acquisition;
        if (present == null) {
            throw new IllegalStateException(name() + " has no lease");
        }
        return present;
    }

    boolean isWaiting() {
        return givesUpAt != LockService.NEVER;
    }

    boolean isPausedAt(long now) {
        return now < pausedUntil;
    }

    /** It neither stands still nor waits for an answer. */
    boolean isBusyAt(long now) {
        return acquisition != null && !isWaiting() && !isPausedAt(now);
    }

    /** Whether its heartbeats go on and reach the lock service in time while it runs. */
    boolean sendsHeartbeats() {
        return (granted || session != 0) && !cutOff && !drifting && renewalsOut == 0;
    }

    boolean believesAt(long now) {
        return granted && isFreshAt(now);
    }

    /**
     * By its own clock, from the moment before the requests were sent that enough servers said yes to: of time to live, what
     * has passed since then and a margin are taken off.
     */
    boolean isFreshAt(long now) {
        return (now - confirmedAt()) / (drifting ? DRIFT : 1) < LockService.TTL_MILLIS - MARGIN_MILLIS;
    }

    /** Whether enough servers have prolonged its lease, and none of them took that back. */
    boolean wasHeard() {
        return confirmedAt() != NEVER_HEARD;
    }

    private long confirmedAt() {
        if (heard.length == 1) {
            return heard[0];
        }
        long[] times = heard.clone();
        Arrays.sort(times);
        return times[times.length - quorum];
    }

    void heard(int server, long sentAt) {
        heard[server] = Math.max(heard[server], sentAt);
    }

    void heardNo(int server) {
        heard[server] = NEVER_HEARD;
    }

    int count(Verdict verdict) {
        int count = 0;
        for (Verdict one : verdicts) {
            count += one == verdict ? 1 : 0;
        }
        return count;
    }

    void opens(long newSession, long now) {
        session = newSession;
        nextHeartbeat = now + HEARTBEAT_MILLIS;
        Arrays.fill(heard, newSession == 0 ? NEVER_HEARD : now);
    }

    /** It has no lease any more and begins from the beginning. */
    void startOver() {
        acquisition = null;
        granted = false;
        behind = null;
        Arrays.fill(verdicts, null);
        token = 0;
        renewalsOut = 0;
        stage = Stage.ACQUIRE;
        basis = Write.BEGINNING.basis();
        looked = false;
        confirmedOn = 0;
        confirmations = 0;
        givesUpAt = LockService.NEVER;
    }
}
