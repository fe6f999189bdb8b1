package dev.fence.reconcile;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * When two entries with one key say the same, and which entries must have a counterpart.
 *
 * @param tolerances by currency, how far two amounts may be apart; no entry: exactly equal (1.0 is 1.00)
 * @param window which entries must have a counterpart; one outside that has none is reported as such; empty: all
 * @param maxApart how far the times of two entries may be apart; empty: times are not compared
 */
public record MatchingRules(Map<String, BigDecimal> tolerances, Optional<Window> window, Optional<Duration> maxApart) {

    /**
     * A span of time.
     *
     * @param from the first instant inside
     * @param until the first instant after it
     */
    public record Window(Instant from, Instant until) {
        /** @throws IllegalArgumentException if it is empty */
        public Window {
            if (!from.isBefore(until)) {
                throw new IllegalArgumentException("the window from " + from + " until " + until + " is empty");
            }
        }

        boolean contains(Instant at) {
            return !at.isBefore(from) && at.isBefore(until);
        }
    }

    /** @throws IllegalArgumentException if a tolerance is negative */
    public MatchingRules {
        tolerances = Map.copyOf(tolerances);
        tolerances.forEach((currency, tolerance) -> {
            if (tolerance.signum() < 0) {
                throw new IllegalArgumentException(
                        "the tolerance " + tolerance + " for " + currency + " is negative: 0 or more is permitted");
            }
        });
        maxApart.filter(Duration::isNegative).ifPresent(negative -> {
            throw new IllegalArgumentException("maxApart " + negative + " is negative: 0 or more is permitted");
        });
    }

    /** Equal amounts in equal currencies, at any time. */
    public static MatchingRules exact() {
        return new MatchingRules(Map.of(), Optional.empty(), Optional.empty());
    }

    public MatchingRules withTolerance(String currency, BigDecimal tolerance) {
        Map<String, BigDecimal> all = new HashMap<>(tolerances);
        all.put(currency, tolerance);
        return new MatchingRules(all, window, maxApart);
    }

    public MatchingRules within(Instant from, Instant until) {
        return new MatchingRules(tolerances, Optional.of(new Window(from, until)), maxApart);
    }

    public MatchingRules withMaxApart(Duration maxApart) {
        return new MatchingRules(tolerances, window, Optional.of(maxApart));
    }

    /** The same text for the same rules. */
    String canonical() {
        return new TreeMap<>(tolerances) + " " + window + " " + maxApart;
    }
}
