package dev.fence.properties;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A timeline as people write it: {@code timelines/*.timeline}. {@link ScriptParser} reads what {@link #toString} writes;
 * docs/properties.md tells the form.
 *
 * @param title one line
 * @param processes two to four
 * @param bare whether the resource begins without a guard
 */
record Script(String title, int processes, boolean bare, List<Expectation> expectations, List<Line> lines) {

    static final String FIRST_LINE = "timeline v1";
    /** The model that has all rules. Only the ends of what has them are written in the lines. */
    static final String FENCED = "fenced";

    /** @param violated the invariant that must fall; null if all must hold */
    record Expectation(String subject, @Nullable Invariant violated) {

        @Override
        public String toString() {
            return "expect: " + subject + (violated == null ? " holds" : " violates " + violated);
        }
    }

    /** @param ends the ends that the operation may have under a fence; empty if nothing is said of it */
    record Line(Action action, Set<Verdict> ends) {

        @Override
        public String toString() {
            String text = String.format(
                    Locale.ROOT, "%d.%03d %s %s", action.at() / 1000, action.at() % 1000, action.actor(), action);
            return ends.isEmpty()
                    ? text
                    : text + " -> " + ends.stream().map(Verdict::name).collect(Collectors.joining("|"));
        }
    }

    List<Action> actions() {
        return lines.stream().map(Line::action).toList();
    }

    /** What happened, as a script that lets it happen again. */
    static Script of(History history, String title, Expectation expectation) {
        List<Line> lines = history.steps().stream()
                .map(History.Step::action)
                .filter(action -> action.kind().by() != Kind.By.TIME)
                .map(action -> new Line(action, Set.of()))
                .toList();
        return new Script(title, history.processes(), history.isBare(), List.of(expectation), lines);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(FIRST_LINE)
                .append("\ntitle: ")
                .append(title)
                .append("\nprocesses: ")
                .append(processes)
                .append("\nguard: ")
                .append(bare ? "absent" : "present")
                .append('\n');
        expectations.forEach(expectation -> text.append(expectation).append('\n'));
        text.append('\n');
        lines.forEach(line -> text.append(line).append('\n'));
        return text.toString();
    }
}
