package dev.fence.properties;

import dev.fence.Grant;
import dev.fence.properties.Subject.Sight;
import dev.fence.properties.Timeline.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What happened when a timeline was played: one step for each event that was not passed over. */
final class History {

    /**
     * @param at virtual milliseconds since the beginning
     * @param attempt null for an event at which no operation ended
     */
    record Step(int number, long at, String text, @Nullable Attempt attempt, Sight before, Sight after) {

        /** The writes that took effect in this step. */
        List<Long> landed() {
            int known = Math.min(before.landed().size(), after.landed().size());
            return after.landed().subList(known, after.landed().size());
        }

        @Override
        public String toString() {
            return String.format("%3d  +%5.1f s  %s", number, at / 1000.0, text);
        }
    }

    private final Timeline timeline;
    private final Sight beginning;
    private final List<Event> taken = new ArrayList<>();
    private final List<Step> steps = new ArrayList<>();
    private final Map<Long, Grant> writers = new HashMap<>();

    History(Timeline timeline, Sight beginning) {
        this.timeline = timeline;
        this.beginning = beginning;
    }

    /** Notes under which grant a write is tried. */
    void wrote(long number, Grant grant) {
        writers.put(number, grant);
    }

    void add(Event event, long at, Told told, Sight after) {
        steps.add(new Step(steps.size() + 1, at, told.text(), told.attempt(), last(), after));
        taken.add(event);
    }

    /** The resource as it was seen last. */
    Sight last() {
        return steps.isEmpty() ? beginning : steps.get(steps.size() - 1).after();
    }

    /** The same story without the events that were passed over, each with the process that took it. */
    Timeline timeline() {
        return new Timeline(timeline.processes(), timeline.bare(), List.copyOf(taken));
    }

    List<Step> steps() {
        return List.copyOf(steps);
    }

    /** Under which grant a write was tried. */
    @Nullable
    Grant writerOf(long number) {
        return writers.get(number);
    }

    /** One step a line. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        steps.forEach(step -> text.append(step).append('\n'));
        return text.toString();
    }
}
