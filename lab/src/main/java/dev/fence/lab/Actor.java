package dev.fence.lab;

import dev.fence.lab.Write.Reading;
import org.jspecify.annotations.Nullable;

/** A process: what it does next, and what it believes. */
final class Actor {

    /** How much earlier than the lock service a process holds its lease for over. */
    private static final long MARGIN_MILLIS = 1_000;

    private static final int DRIFT = 8;

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

    @Nullable
    Acquisition lease;

    Reading basis = Write.BEGINNING.basis();
    /** When the lock service heard from it last. */
    long heardAt;

    long pausedUntil;
    /** It looked at its lease, was paused, and will not look again before its next request. */
    boolean looked;
    /** The timeline that it had seen when its lease was confirmed. */
    int confirmedOn;
    /** It waits for the answer to a request that is late, until then. */
    long givesUpAt = LockService.NEVER;

    boolean cutOff;
    boolean drifting;
    /** Requests that will not arrive, or whose answer will not. */
    @Nullable
    Kind nextRequest;

    Actor(int index) {
        this.index = index;
    }

    String name() {
        return String.valueOf((char) ('A' + index));
    }

    boolean isWaiting() {
        return givesUpAt != LockService.NEVER;
    }

    boolean isPausedAt(long now) {
        return now < pausedUntil;
    }

    /** Whether its heartbeats reach the lock service in time while it runs. */
    boolean sendsHeartbeats() {
        return !cutOff && !drifting;
    }

    /** By its own clock, from the moment of the last heartbeat that was confirmed. */
    boolean believesAt(long now) {
        long elapsed = (now - heardAt) / (drifting ? DRIFT : 1);
        return elapsed < (LockService.TTL_MILLIS - MARGIN_MILLIS);
    }

    void granted(Acquisition acquisition, boolean seals, long now) {
        lease = acquisition;
        heardAt = now;
        stage = seals ? Stage.SEAL : Stage.READ;
    }

    /** It has no lease any more and begins from the beginning. */
    void startOver() {
        lease = null;
        stage = Stage.ACQUIRE;
        basis = Write.BEGINNING.basis();
        looked = false;
        confirmedOn = 0;
        givesUpAt = LockService.NEVER;
        nextRequest = null;
    }
}
