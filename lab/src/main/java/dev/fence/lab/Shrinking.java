package dev.fence.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes a violated timeline shorter by replaying it with something left out, as long as something is still violated. */
final class Shrinking {

    private Shrinking() {}

    static Timeline shrink(Timeline violated) {
        Timeline shortest = violated;
        for (Timeline next = violated; next != null; ) {
            shortest = next;
            next = smaller(shortest);
        }
        Timeline renamed = Timeline.replay(shortest.combination(), renamed(shortest.events()));
        return renamed.isViolated()
                        && renamed.events().size() == shortest.events().size()
                ? renamed
                : shortest;
    }

    /** A is who comes first in the story. */
    private static List<Event> renamed(List<Event> events) {
        List<Integer> order = Stream.concat(
                        events.stream().filter(event -> event.kind().isStep()).map(Event::who),
                        IntStream.range(0, World.ACTORS).boxed())
                .distinct()
                .toList();
        return events.stream()
                .map(event -> new Event(event.kind(), order.indexOf(event.who()), event.arg()))
                .toList();
    }

    /** The first smaller one that is still violated, or null. */
    private static @Nullable Timeline smaller(Timeline timeline) {
        List<Event> events = timeline.events();
        for (int length = Math.max(1, events.size() / 2); length > 0; length /= 2) {
            for (int from = 0; from + length <= events.size(); from++) {
                Timeline tried = replay(timeline, without(events, from, length));
                if (tried != null) {
                    return tried;
                }
            }
        }
        for (int i = 0; i < events.size(); i++) {
            for (int j = i + 1; j < events.size(); j++) {
                Timeline tried = replay(timeline, without(without(events, j, 1), i, 1));
                if (tried != null) {
                    return tried;
                }
            }
        }
        return simpler(timeline);
    }

    /** Another process or a more ordinary time in one place. */
    private static @Nullable Timeline simpler(Timeline timeline) {
        List<Event> events = timeline.events();
        for (int i = 0; i < events.size(); i++) {
            Event event = events.get(i);
            for (Event lower : lower(event)) {
                List<Event> changed = new ArrayList<>(events);
                changed.set(i, lower);
                Timeline tried = replay(timeline, changed);
                if (tried != null) {
                    return tried;
                }
            }
        }
        return null;
    }

    private static List<Event> lower(Event event) {
        List<Event> lower = new ArrayList<>();
        for (int who = 0; who < event.who(); who++) {
            lower.add(new Event(event.kind(), who, event.arg()));
        }
        for (int arg = 0; arg < event.arg(); arg++) {
            lower.add(new Event(event.kind(), event.who(), arg));
        }
        return lower;
    }

    private static @Nullable Timeline replay(Timeline from, List<Event> events) {
        Timeline tried = Timeline.replay(from.combination(), events);
        return tried.isViolated() && size(tried) < size(from) ? tried : null;
    }

    /** Events first, then processes and times. */
    private static int size(Timeline timeline) {
        int size = 0;
        for (Event event : timeline.events()) {
            size += 1000 + event.who() + event.arg();
        }
        return size;
    }

    private static List<Event> without(List<Event> events, int from, int length) {
        List<Event> rest = new ArrayList<>(events);
        rest.subList(from, from + length).clear();
        return rest;
    }
}
