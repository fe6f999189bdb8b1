package dev.fence.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Knows what must never be in a history. */
final class Checker {

    private Checker() {}

    /** Looks for one kind of violation. */
    interface Rule {
        void check(List<Event> history, Consumer<Violation> found);
    }

    static Verdict check(History history) {
        List<Event> events = history.inOrder();
        List<Violation> violations = new ArrayList<>();
        Ownership ownership = new Ownership();
        for (Rule rule : List.of(ownership, new Tokens(), new Callbacks(), new Writes(), new Endings(), new Work())) {
            rule.check(events, violations::add);
        }
        int faults = (int)
                events.stream().filter(event -> event.what() == What.FAULT).count();
        return new Verdict(List.copyOf(violations), faults, ownership.revokedAlive());
    }

    static boolean isGrant(Event event) {
        return event.what() == What.GRANTED || event.what() == What.ELECTED;
    }

    /** What the beginning of the run says of itself. */
    static Optional<String> setting(List<Event> history, String name) {
        return history.stream()
                .filter(event -> event.what() == What.RUN)
                .flatMap(event -> Pattern.compile(" ").splitAsStream(event.detail()))
                .filter(setting -> setting.startsWith(name + "="))
                .map(setting -> setting.substring(name.length() + 1))
                .findFirst();
    }

    /** The time to live of the run's sessions, in nanoseconds. */
    static long ttlNanos(List<Event> history) {
        return setting(history, "ttlMillis")
                .map(millis -> Long.parseLong(millis) * 1_000_000)
                .orElseThrow(() -> new IllegalArgumentException("the history does not say its ttlMillis"));
    }
}
