package dev.fence;

import dev.fence.spi.Checks;
import java.time.Duration;

/**
 * The times of a session. Between two heartbeats lies a third of the time to live, and each has a sixth to be answered, so
 * that a lost one can be repeated before the lease is over.
 *
 * @param ttl how long the service keeps the session without a heartbeat; whole seconds, 5 s to 1 h, or from 2 s if forced
 * @param margin how much earlier than the service this process holds the session for over: it covers clock drift and the way
 *     from a check to the wire; 100 ms or more, at most a third of {@code ttl} together with {@code stopTime}
 * @param stopTime how long the application needs to stop its work after it was told; zero or more
 */
public record SessionTiming(Duration ttl, Duration margin, Duration stopTime) {

    private static final Duration MIN_TTL = Duration.ofSeconds(5);
    private static final Duration MIN_FORCED_TTL = Duration.ofSeconds(2);
    private static final Duration MAX_TTL = Duration.ofHours(1);
    private static final Duration MIN_MARGIN = Duration.ofMillis(100);

    /** A time to live of 10 s with the default margin. */
    public static final SessionTiming DEFAULTS = ofTtl(Duration.ofSeconds(10));

    /** @throws IllegalArgumentException if the times do not fit together */
    public SessionTiming {
        Checks.duration("ttl", ttl, MIN_FORCED_TTL, MAX_TTL);
        if (!ttl.equals(Duration.ofSeconds(ttl.toSeconds()))) {
            throw new IllegalArgumentException("ttl " + ttl + " is not in whole seconds: the service counts seconds");
        }
        Checks.duration("stopTime", stopTime, Duration.ZERO, ttl);
        Checks.duration("margin", margin, MIN_MARGIN, ttl);
        if (margin.plus(stopTime).multipliedBy(3).compareTo(ttl) > 0) {
            throw new IllegalArgumentException("margin " + margin + " and stopTime " + stopTime
                    + " together are more than a third of ttl " + ttl
                    + ": no time would be left to repeat a heartbeat that was lost");
        }
    }

    /**
     * The default margin, a tenth of the time to live but at least 500 ms, and no stop time.
     *
     * @param ttl 5 s to 1 h; with less, an etcd whose leader stops loses sessions
     * @throws IllegalArgumentException if it is out of its range
     */
    public static SessionTiming ofTtl(Duration ttl) {
        return forcedTtl(Checks.duration("ttl", ttl, MIN_TTL, MAX_TTL));
    }

    /** Like {@link #ofTtl} but from 2 s on, for tests and for those who accept losing sessions when the service stumbles. */
    public static SessionTiming forcedTtl(Duration ttl) {
        Checks.duration("ttl", ttl, MIN_FORCED_TTL, MAX_TTL);
        Duration tenth = ttl.dividedBy(10);
        Duration atLeast = Duration.ofMillis(500);
        return new SessionTiming(ttl, tenth.compareTo(atLeast) > 0 ? tenth : atLeast, Duration.ZERO);
    }

    public SessionTiming withMargin(Duration margin) {
        return new SessionTiming(ttl, margin, stopTime);
    }

    public SessionTiming withStopTime(Duration stopTime) {
        return new SessionTiming(ttl, margin, stopTime);
    }

    /** From one heartbeat to the next. */
    public Duration heartbeatEvery() {
        return ttl.dividedBy(3);
    }

    /** How long one call to the service may take. */
    public Duration callTimeout() {
        return ttl.dividedBy(6);
    }

    /** How much earlier than the service this process stops: the margin and the application's stop time. */
    public Duration reserve() {
        return margin.plus(stopTime);
    }
}
