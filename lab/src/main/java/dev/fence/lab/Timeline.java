package dev.fence.lab;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The events that happened, up to the first violation if there was one.
 *
 * @param violation null if nothing was violated
 */
record Timeline(
        Combination combination,
        List<Event> events,
        @Nullable Violation violation) {

    private static final int DRAWS = 60;
    private static final int LONGEST = 24;

    /** The timeline that a seed decides: its scheduler draws events until it has enough of those that can happen. */
    static Timeline draw(Combination combination, Rng rng) {
        List<Kind> kinds = combination.fault().kinds();
        int weights = kinds.stream().mapToInt(Kind::weight).sum();
        World world = combination.newWorld(false);
        List<Event> happened = new ArrayList<>();
        int actors = 2 + rng.below(World.ACTORS - 1);
        for (int i = 0; i < DRAWS && happened.size() < LONGEST; i++) {
            Event event = new Event(draw(kinds, rng.below(weights)), rng.below(actors), rng.below(Event.ARGS));
            if (world.play(event)) {
                happened.add(event);
                if (world.violation().isPresent()) {
                    break;
                }
            }
        }
        return new Timeline(combination, happened, world.violation().orElse(null));
    }

    /** Plays {@code events} and keeps those that happened, up to the first violation. */
    static Timeline replay(Combination combination, List<Event> events) {
        World world = combination.newWorld(false);
        List<Event> happened = new ArrayList<>();
        for (Event event : events) {
            if (world.play(event)) {
                happened.add(event);
                if (world.violation().isPresent()) {
                    break;
                }
            }
        }
        return new Timeline(combination, happened, world.violation().orElse(null));
    }

    boolean isViolated() {
        return violation != null;
    }

    /** What happened, one event a line, with virtual times. */
    String history() {
        World world = combination.newWorld(true);
        events.forEach(world::play);
        return world.history();
    }

    private static Kind draw(List<Kind> kinds, int at) {
        int left = at;
        for (Kind kind : kinds) {
            left -= kind.weight();
            if (left < 0) {
                return kind;
            }
        }
        throw new IllegalArgumentException("beyond all weights: " + at);
    }
}
