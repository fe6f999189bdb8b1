package dev.fence.chaos;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Each candidate is told of each term in one pair, one after the other; only a kill leaves a pair open. */
final class Callbacks implements Checker.Rule {

    @Override
    public void check(List<Event> history, Consumer<Violation> found) {
        Map<String, Event> open = new HashMap<>();
        Set<String> demoted = new HashSet<>();
        for (Event event : history) {
            if (event.what() == What.ELECTED) {
                Event before = open.put(event.who(), event);
                if (before != null) {
                    found.accept(violation(before, "was not demoted before it was elected again"));
                }
            } else if (event.what() == What.DEMOTED) {
                Event begun = open.remove(event.who());
                boolean pair = begun != null && begun.token() == event.token();
                if (!pair || !demoted.add(event.who() + " " + event.token())) {
                    found.accept(violation(event, "was demoted without having been elected, or twice"));
                }
            } else if (event.what() == What.KILLED) {
                open.keySet().removeIf(who -> who.startsWith(event.who() + "/"));
            }
        }
        open.values().forEach(left -> found.accept(violation(left, "was never demoted")));
    }

    private static Violation violation(Event event, String what) {
        return new Violation("callbacks in pairs", event.who() + " of epoch " + event.token() + " " + what);
    }
}
