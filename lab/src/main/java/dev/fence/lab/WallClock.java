package dev.fence.lab;

/** A server's wall clock: somebody may set it, ahead or back, and it may go at another rate. */
final class WallClock {

    private static final long STEP_MILLIS = LockService.TTL_MILLIS * 6 / 5;
    private static final long FAST = 4;

    private long shown;
    private long since;
    private long rate = 1;

    long at(long now) {
        return shown + (now - since) * rate;
    }

    /** When it will show {@code reading}. */
    long when(long reading) {
        return since + Math.floorDiv(reading - shown + rate - 1, rate);
    }

    void stepsAhead() {
        shown += STEP_MILLIS;
    }

    void stepsBack() {
        shown -= STEP_MILLIS;
    }

    void goesFastFrom(long now) {
        shown = at(now);
        since = now;
        rate = FAST;
    }
}
