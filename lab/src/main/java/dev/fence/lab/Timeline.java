package dev.fence.lab;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
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

    private static final int DRAWS = 80;
    private static final int LONGEST = 32;
    private static final int FEW = 9;

    /** The timeline that a seed decides: its scheduler draws events until it has enough of those that can happen. */
    static Timeline draw(Combination combination, Rng rng) {
        List<Kind> kinds = someOf(combination.fault().kinds(), rng);
        int weights = kinds.stream().mapToInt(Kind::weight).sum();
        int actors = 2 + rng.below(World.ACTORS - 1);
        Stream<Event> draws = Stream.generate(
                () -> new Event(draw(kinds, rng.below(weights)), rng.below(actors), rng.below(Event.ARGS)));
        return play(combination, draws.limit(DRAWS).iterator());
    }

    /** Plays {@code events} and keeps those that happened, up to the first violation. */
    static Timeline replay(Combination combination, List<Event> events) {
        return play(combination, events.iterator());
    }

    private static Timeline play(Combination combination, Iterator<Event> events) {
        World world = combination.newWorld(false);
        List<Event> happened = new ArrayList<>();
        while (events.hasNext()
                && happened.size() < LONGEST
                && world.violation().isEmpty()) {
            Event event = events.next();
            if (world.play(event)) {
                happened.add(event);
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

    /**
     * A few of many kinds of faults, others in each timeline: where everything goes wrong all the time, nobody gets as far as
     * losing something.
     */
    private static List<Kind> someOf(List<Kind> kinds, Rng rng) {
        return kinds.size() <= FEW
                ? kinds
                : kinds.stream()
                        .filter(kind -> kind.isOrdinary() || rng.below(2) == 0)
                        .toList();
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
