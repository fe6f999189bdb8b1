package dev.fence.properties;

import dev.fence.properties.Timeline.Event;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Smaller timelines that may tell the same story: with events left out, alone and in pairs, with lower indices, or with simpler operations. */
final class Shrinking {

    private static final Set<Kind> STOPS = EnumSet.of(Kind.CHECK, Kind.PAUSE);
    private static final Set<Kind> GOES_ON = EnumSet.of(Kind.GO_ON, Kind.RESUME);
    private static final Set<Kind> AT_ONCE = EnumSet.of(Kind.SEAL, Kind.READ, Kind.WRITE, Kind.UPDATE, Kind.GO_ON);

    private Shrinking() {}

    /** Each is smaller than {@code timeline} in one respect and no larger in any; the boldest come first. */
    static Stream<Timeline> candidates(Timeline timeline) {
        List<Event> events = timeline.events();
        Stream<Timeline> simpler = timeline.processes() > 2
                ? Stream.of(new Timeline(timeline.processes() - 1, timeline.bare(), events))
                : Stream.empty();
        Stream<List<Event>> shorter = windows(events.size()).map(w -> without(events, w.from(), w.to()));
        Stream<List<Event>> lessTwo =
                pairs(events.size()).map(p -> without(without(events, p.to(), p.to() + 1), p.from(), p.from() + 1));
        Stream<List<Event>> lower = IntStream.range(0, events.size())
                .boxed()
                .flatMap(i -> lower(events.get(i)).map(event -> with(events, i, event)));
        return Stream.concat(
                simpler,
                Stream.of(shorter, lessTwo, straight(events), lower)
                        .flatMap(lists -> lists)
                        .map(list -> new Timeline(timeline.processes(), timeline.bare(), list)));
    }

    private record Span(int from, int to) {}

    /** Without a stop: what was done in two steps is done at once, when its second step was; a pause is only a wait. */
    private static Stream<List<Event>> straight(List<Event> events) {
        return pairs(events.size())
                .filter(p -> STOPS.contains(events.get(p.from()).kind()))
                .filter(p -> GOES_ON.contains(events.get(p.to()).kind()))
                .flatMap(p -> AT_ONCE.stream().map(kind -> {
                    Event goesOn = events.get(p.to());
                    Event atOnce = new Event(kind, goesOn.who(), goesOn.arg());
                    return without(with(events, p.to(), atOnce), p.from(), p.from() + 1);
                }));
    }

    /** Half of all events, a quarter, and so on down to one. */
    private static Stream<Span> windows(int size) {
        return Stream.iterate(size / 2, length -> length > 0, length -> length / 2)
                .flatMap(length -> IntStream.rangeClosed(0, size - length).mapToObj(i -> new Span(i, i + length)));
    }

    private static Stream<Span> pairs(int size) {
        return IntStream.range(0, size)
                .boxed()
                .flatMap(i -> IntStream.range(i + 1, size).mapToObj(j -> new Span(i, j)));
    }

    private static Stream<Event> lower(Event event) {
        return Stream.of(
                        Stream.ofNullable(event.kind().simpler())
                                .map(kind -> new Event(kind, event.who(), event.arg())),
                        lowerIndices(event))
                .flatMap(events -> events);
    }

    private static Stream<Event> lowerIndices(Event event) {
        return Stream.concat(
                IntStream.range(0, event.who()).mapToObj(who -> new Event(event.kind(), who, event.arg())),
                IntStream.range(0, event.arg()).mapToObj(arg -> new Event(event.kind(), event.who(), arg)));
    }

    private static List<Event> without(List<Event> events, int from, int to) {
        List<Event> rest = new ArrayList<>(events);
        rest.subList(from, to).clear();
        return rest;
    }

    private static List<Event> with(List<Event> events, int index, Event event) {
        List<Event> changed = new ArrayList<>(events);
        changed.set(index, event);
        return changed;
    }
}
