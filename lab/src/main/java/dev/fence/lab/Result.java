package dev.fence.lab;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What came of one combination.
 *
 * @param timelines how many were played
 * @param shortest the shortest violated timeline that was found; null if none was
 */
record Result(
        Combination combination, int timelines, @Nullable Timeline shortest) {

    /** After this many violated timelines, more of them hardly make the shortest shorter. */
    private static final int ENOUGH = 12;

    static Result of(Combination combination, int timelines, long seed) {
        Timeline shortest = null;
        int violated = 0;
        int played = 0;
        while (played < timelines && violated < ENOUGH) {
            Timeline timeline = Timeline.draw(combination, Rng.of(seed, played++));
            if (timeline.isViolated()) {
                violated++;
                Timeline shrunk = Shrinking.shrink(timeline);
                if (shortest == null
                        || shrunk.events().size() < shortest.events().size()) {
                    shortest = shrunk;
                }
            }
        }
        return new Result(combination, played, shortest);
    }

    boolean isSafe() {
        return shortest == null;
    }

    /** How many events the shortest has, 0 if there is none. */
    int shortestLength() {
        Timeline known = shortest;
        return known == null ? 0 : known.events().size();
    }

    String toJson() {
        return String.format(
                Locale.ROOT,
                "{\"lock\":\"%s\",\"resource\":\"%s\",\"fault\":\"%s\",\"timelines\":%d,\"verdict\":\"%s\",\"shortest\":%d}",
                combination.lock(),
                combination.resource(),
                combination.fault(),
                timelines,
                isSafe() ? "safe" : "violated",
                shortestLength());
    }
}
