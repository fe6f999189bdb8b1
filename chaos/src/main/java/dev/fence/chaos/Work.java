package dev.fence.chaos;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Nothing bad can happen where nothing happens: each lease that the run says it is about was granted to a worker, each election
 * had a term, and under each some write took effect.
 */
final class Work implements Checker.Rule {

    private static final String RULE = "everybody gets to work";

    @Override
    public void check(List<Event> history, Consumer<Violation> found) {
        named(history, "leases").forEach(lease -> {
            require(history, lease, "was never granted to a worker", Work::isGrantToAWorker, found);
            require(history, lease, "was never written under", Work::isWrite, found);
        });
        named(history, "elections").forEach(election -> {
            require(history, election, "never had a leader", event -> event.what() == What.ELECTED, found);
            require(history, election, "was never written under", Work::isWrite, found);
        });
    }

    /** None in what was not a run, such as a scene. */
    private static Stream<String> named(List<Event> history, String setting) {
        return Checker.setting(history, setting).stream().flatMap(Pattern.compile(",")::splitAsStream);
    }

    private static void require(
            List<Event> history, String lease, String otherwise, Predicate<Event> wanted, Consumer<Violation> found) {
        boolean there = history.stream().anyMatch(event -> event.lease().equals(lease) && wanted.test(event));
        if (!there) {
            found.accept(new Violation(RULE, "\"" + lease + "\" " + otherwise));
        }
    }

    private static boolean isGrantToAWorker(Event event) {
        return event.what() == What.GRANTED && !event.who().equals("last");
    }

    private static boolean isWrite(Event event) {
        return event.what() == What.APPLIED;
    }
}
