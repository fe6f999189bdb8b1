package dev.fence.effects;

import dev.fence.spi.Checks;
import java.time.Duration;

/** What to do with a slot while another slot of the same job is running under the lease. */
public sealed interface Overlap {

    /** The slot is not run, and on record as skipped. */
    record Skip() implements Overlap {}

    /**
     * It waits for the other one to end, and is skipped if that takes too long.
     *
     * @param atMost how long: 1 ms to 24 h
     */
    record Queue(Duration atMost) implements Overlap {
        /** @throws IllegalArgumentException if it is out of range */
        public Queue {
            Checks.duration("atMost", atMost, Duration.ofMillis(1), Duration.ofHours(24));
        }
    }

    static Overlap skip() {
        return new Skip();
    }

    static Overlap queue(Duration atMost) {
        return new Queue(atMost);
    }
}
