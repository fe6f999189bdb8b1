package dev.fence.chaos;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** No token is given twice, and one that was asked for after another was given is higher, whatever the names. */
final class Tokens implements Checker.Rule {

    @Override
    public void check(List<Event> history, Consumer<Violation> found) {
        Set<Long> given = new HashSet<>();
        Map<String, Event> asked = new HashMap<>();
        Map<String, Event> lastOf = new HashMap<>();
        List<Event> grants = history.stream().filter(Checker::isGrant).toList();
        for (Event event : history) {
            if (event.what() == What.ASKED) {
                asked.put(event.who(), event);
            }
            if (Checker.isGrant(event)) {
                if (!given.add(event.token())) {
                    found.accept(violation(event, "had been given before"));
                }
                Event before = lastOf.put(event.who(), event);
                if (before != null && before.token() >= event.token()) {
                    found.accept(violation(event, "is not above " + before.token() + ", its own before"));
                }
                highestBefore(grants, asked.get(event.who()))
                        .filter(high -> high.token() >= event.token())
                        .ifPresent(high -> found.accept(
                                violation(event, "is not above " + high.token() + ", given before it was asked for")));
            }
        }
    }

    private static Optional<Event> highestBefore(List<Event> grants, @Nullable Event asked) {
        return asked == null
                ? Optional.empty()
                : grants.stream().filter(grant -> grant.at() < asked.at()).max(Comparator.comparingLong(Event::token));
    }

    private static Violation violation(Event grant, String what) {
        return new Violation(
                "tokens rise",
                "token " + grant.token() + " of \"" + grant.lease() + "\" for " + grant.who() + " " + what);
    }
}
