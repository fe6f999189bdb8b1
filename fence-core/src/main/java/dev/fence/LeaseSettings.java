package dev.fence;

import dev.fence.spi.Checks;
import java.time.Duration;

/**
 * Options of one acquisition.
 *
 * @param maxHold the lease ends this long after it was granted, however healthy its session; 1 ms to 365 days, default 365
 *     days
 * @param grace how long closing waits for work in flight; zero to one hour, default 5 s
 */
public record LeaseSettings(Duration maxHold, Duration grace) {

    private static final Duration MAX_MAX_HOLD = Duration.ofDays(365);

    /** Held as long as the session lives, 5 s of grace. */
    public static final LeaseSettings DEFAULTS = new LeaseSettings(MAX_MAX_HOLD, Duration.ofSeconds(5));

    /** @throws IllegalArgumentException if a duration is out of its range */
    public LeaseSettings {
        Checks.duration("maxHold", maxHold, Duration.ofMillis(1), MAX_MAX_HOLD);
        Checks.duration("grace", grace, Duration.ZERO, Duration.ofHours(1));
    }

    public LeaseSettings withMaxHold(Duration maxHold) {
        return new LeaseSettings(maxHold, grace);
    }

    public LeaseSettings withGrace(Duration grace) {
        return new LeaseSettings(maxHold, grace);
    }
}
