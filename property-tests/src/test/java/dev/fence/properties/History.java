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
     * @param attempt null for an event at which no operation ended
     */
    record Step(
            int number,
            Action action,
            String text,
            @Nullable Attempt attempt,
            Sight before,
            Sight after) {

        /** The writes that took effect in this step. */
        List<Long> landed() {
            int known = Math.min(before.landed().size(), after.landed().size());
            return after.landed().subList(known, after.landed().size());
        }

        @Override
        public String toString() {
            return String.format("%3d  +%5.1f s  %s", number, action.at() / 1000.0, text);
        }
    }

    private final int processes;
    private final boolean bare;
    private final Sight beginning;
    private final List<Event> taken = new ArrayList<>();
    private final List<Step> steps = new ArrayList<>();
    private final Map<Long, Grant> writers = new HashMap<>();

    History(int processes, boolean bare, Sight beginning) {
        this.processes = processes;
        this.bare = bare;
        this.beginning = beginning;
    }

    /** Notes under which grant a write is tried. */
    void wrote(long number, Grant grant) {
        writers.put(number, grant);
    }

    void add(Action action, Told told, Sight after) {
        steps.add(new Step(steps.size() + 1, action, told.text(), told.attempt(), last(), after));
    }

    /** Notes the event that the next step comes from. */
    void took(Event event) {
        taken.add(event);
    }

    /** The resource as it was seen last. */
    Sight last() {
        return steps.isEmpty() ? beginning : steps.get(steps.size() - 1).after();
    }

    /** The same story without the events that were passed over, each with the process that took it. */
    Timeline timeline() {
        return new Timeline(processes, bare, List.copyOf(taken));
    }

    int processes() {
        return processes;
    }

    boolean isBare() {
        return bare;
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
