package dev.fence.s3;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongBinaryOperator;
import java.util.function.LongSupplier;

/** How long one call may go on asking and repeating, with pauses that double and are jittered. One instance per call. */
final class Patience {

    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /**
     * Time and chance as calls see them, so that tests can replay them.
     *
     * @param between a random number, from the first argument on and below the second
     */
    record Clock(LongSupplier nanos, Sleeper sleeper, LongBinaryOperator between) {
        static final Clock SYSTEM = new Clock(
                System::nanoTime,
                TimeUnit.NANOSECONDS::sleep,
                (least, bound) -> ThreadLocalRandom.current().nextLong(least, bound));
    }

    /** Lets time pass. */
    interface Sleeper {
        void sleep(long nanos) throws InterruptedException;
    }

    private final Clock clock;
    private final long endNanos;
    private long pauseNanos = FIRST_PAUSE_NANOS;

    Patience(Clock clock, Duration longest) {
        this.clock = clock;
        this.endNanos = clock.nanos().getAsLong() + longest.toNanos();
    }

    /** What is left, zero when it is over. */
    long leftNanos() {
        return Math.max(0, endNanos - clock.nanos().getAsLong());
    }

    /**
     * Waits a little before the next try.
     *
     * @return false if the time is over or the thread was interrupted, which it stays
     */
    boolean pause() {
        if (leftNanos() == 0 || Thread.currentThread().isInterrupted()) {
            return false;
        }
        long jittered = clock.between().applyAsLong(pauseNanos / 2, pauseNanos);
        pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
        try {
            clock.sleeper().sleep(Math.min(jittered, leftNanos()));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
