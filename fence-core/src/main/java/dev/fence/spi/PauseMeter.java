package dev.fence.spi;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures for how long this process stood still: whoever ticks at an interval and finds that more time has passed was not let
 * run. Garbage collection, a stopped process, a suspended machine and a starved one all look like that.
 *
 * <p>A pause that has just ended is measured too, before the next tick: by the first who asks.
 *
 * <p>Safe for use by several threads.
 */
public final class PauseMeter {

    /** From one tick to the next. */
    public static final Duration INTERVAL = Duration.ofMillis(100);

    private static final Logger LOG = LoggerFactory.getLogger(PauseMeter.class);
    /** Less is a matter of scheduling. */
    private static final long NOTABLE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final int REMEMBERED = 16;

    private final TimeSource time;
    private final Deque<Pause> recent = new ArrayDeque<>();
    private boolean ticking;
    private long lastTick;

    private record Pause(long endedNanos, long nanos) {}

    public PauseMeter(TimeSource time) {
        this.time = time;
    }

    /** To be called every {@link #INTERVAL}. */
    public void tick() {
        long stood;
        synchronized (recent) {
            long now = time.nanoTime();
            stood = ticking ? now - lastTick - INTERVAL.toNanos() : 0;
            if (stood >= NOTABLE_NANOS) {
                if (recent.size() == REMEMBERED) {
                    recent.removeFirst();
                }
                recent.addLast(new Pause(now, stood));
            }
            ticking = true;
            lastTick = now;
        }
        if (stood >= NOTABLE_NANOS) {
            LOG.warn("this process stood still for {} ms", TimeUnit.NANOSECONDS.toMillis(stood));
        }
    }

    /**
     * The longest pause that ended after {@code nanos}, by the clock of {@link System#nanoTime}; zero if there was none worth
     * mentioning, or nobody ticks.
     */
    Duration longestSince(long nanos) {
        synchronized (recent) {
            long longest = recent.stream()
                    .filter(pause -> pause.endedNanos() - nanos > 0)
                    .mapToLong(Pause::nanos)
                    .max()
                    .orElse(0);
            long present = ticking ? time.nanoTime() - lastTick - INTERVAL.toNanos() : 0;
            return Duration.ofNanos(Math.max(longest, present >= NOTABLE_NANOS ? present : 0));
        }
    }
}
