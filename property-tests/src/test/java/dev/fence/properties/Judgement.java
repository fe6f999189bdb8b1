package dev.fence.properties;

import dev.fence.properties.Script.Expectation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a script went, and whether that is what it says.
 *
 * @param where what it was played against, for people
 * @param violated the invariant that fell first, with words; empty if none did
 * @param surprises what differs from what the script says; empty if nothing does
 */
record Judgement(
        String where, Expectation expectation, History history, Optional<String> violated, List<String> surprises) {

    /** A design without a guard is asked for nothing but that it loses no update. */
    private static final Set<Invariant> OF_TWINS = EnumSet.of(Invariant.EACH_UPDATE_REPLACES_WHAT_WAS_READ);

    static Judgement of(String where, Script script, Expectation expectation, Set<Invariant> judged, History history) {
        List<String> surprises = new ArrayList<>();
        Invariant mustFall = expectation.violated();
        Set<Invariant> invariants = mustFall == null ? judged : EnumSet.of(mustFall);
        Optional<String> violated = invariants.stream()
                .flatMap(invariant -> invariant.violationIn(history).map(words -> invariant + ": " + words).stream())
                .findFirst();
        if (mustFall == null) {
            violated.ifPresent(surprises::add);
        } else if (violated.isEmpty()) {
            surprises.add(mustFall + " should have been violated, and holds");
        }
        if (Subjects.hasAllRules(expectation.subject())) {
            surprises.addAll(otherEnds(script, history));
        }
        return new Judgement(where, expectation, history, violated, List.copyOf(surprises));
    }

    static Set<Invariant> invariantsOf(String subject) {
        boolean isTwin = List.of(TwinFence.Design.values()).stream()
                .anyMatch(design -> Subjects.name(design).equals(subject));
        return isTwin ? OF_TWINS : EnumSet.allOf(Invariant.class);
    }

    boolean isAsExpected() {
        return surprises.isEmpty();
    }

    private static List<String> otherEnds(Script script, History history) {
        List<String> others = new ArrayList<>();
        for (int i = 0; i < script.lines().size(); i++) {
            Script.Line line = script.lines().get(i);
            Attempt attempt = history.steps().get(i).attempt();
            @Nullable Verdict end = attempt == null ? null : attempt.verdict();
            if (!line.ends().isEmpty() && (end == null || !line.ends().contains(end))) {
                others.add("\"" + line + "\" ended " + (end == null ? "without an operation" : end.name()));
            }
        }
        return others;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(expectation.subject() + ", " + where + ":\n" + history);
        text.append(expectation.subject())
                .append(violated.map(words -> ": violated: " + words).orElse(": all holds"))
                .append(isAsExpected() ? ", as expected\n" : "\n");
        surprises.forEach(
                surprise -> text.append("NOT AS EXPECTED: ").append(surprise).append('\n'));
        return text.toString();
    }
}
