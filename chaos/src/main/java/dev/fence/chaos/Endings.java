package dev.fence.chaos;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Whoever asks is answered: in time, but for the time that its process was paused; and with a grant if nobody else wanted the
 * lease. Every process ends when told to, and at the very end every lease is free.
 */
final class Endings implements Checker.Rule {

    /** For opening a session, giving up, and a machine that has too much to do. */
    private static final long SLACK = TimeUnit.SECONDS.toNanos(10);

    private static final String RULE = "every acquire ends";

    private record Ask(Event asked, Event answered) {
        boolean timedOut() {
            return answered.detail().equals("LeaseTimeoutException");
        }
    }

    @Override
    public void check(List<Event> history, Consumer<Violation> found) {
        Map<String, Event> open = new HashMap<>();
        List<Ask> asks = new ArrayList<>();
        Set<String> running = new HashSet<>();
        for (Event event : history) {
            switch (event.what()) {
                case ASKED -> open.put(event.who(), event);
                case GRANTED, NOT_GRANTED -> {
                    Event asked = open.remove(event.who());
                    if (asked != null) {
                        asks.add(new Ask(asked, event));
                    }
                }
                case STARTED -> running.add(event.who());
                case KILLED -> {
                    running.remove(event.who());
                    open.keySet().removeIf(who -> who.startsWith(event.who() + "/"));
                }
                case ENDED -> running.remove(event.who());
                case STUCK -> found.accept(new Violation(RULE, event.who() + " did not end: " + event.detail()));
                case WRONG ->
                    found.accept(new Violation(
                            "no error without a reason", event.who() + " \"" + event.lease() + "\" " + event.detail()));
                default -> {}
            }
        }
        open.values().forEach(ask -> found.accept(new Violation(RULE, ask.who() + " was never answered: " + ask)));
        running.forEach(who -> found.accept(new Violation(RULE, who + " never said that it ended")));
        for (Ask ask : asks) {
            checkTime(history, ask, found);
            checkReason(history, ask, found);
        }
    }

    private static void checkTime(List<Event> history, Ask ask, Consumer<Violation> found) {
        long wait = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(ask.asked().detail()));
        long took = ask.answered().at() - ask.asked().at();
        if (took > wait + SLACK + paused(history, ask.asked().process(), ask)) {
            found.accept(new Violation(
                    RULE,
                    ask.asked().who() + " was answered after " + took / 1_000_000 + " ms, with a longest wait of "
                            + wait / 1_000_000 + " ms"));
        }
    }

    private static long paused(List<Event> history, String process, Ask ask) {
        long paused = 0;
        long since = 0;
        for (Event event : history) {
            if (!event.who().equals(process)) {
                continue;
            }
            if (event.what() == What.PAUSED) {
                since = event.at();
            } else if (event.what() == What.RESUMED
                    && event.at() > ask.asked().at()
                    && since < ask.answered().at()) {
                paused += event.at() - since + TimeUnit.SECONDS.toNanos(1);
            }
        }
        return paused;
    }

    private static void checkReason(List<Event> history, Ask ask, Consumer<Violation> found) {
        Event asked = ask.asked();
        boolean isLast = asked.who().equals("last");
        if (isLast && ask.answered().what() != What.GRANTED) {
            found.accept(new Violation(
                    RULE,
                    "\"" + asked.lease() + "\" is not free though everybody has left: "
                            + ask.answered().detail()));
        } else if (ask.timedOut() && !wantedByOthers(history, ask)) {
            found.accept(new Violation(
                    RULE, asked.who() + " waited in vain for \"" + asked.lease() + "\", which nobody else wanted"));
        }
    }

    /** Whether anybody else had anything to do with the lease while it was waited for, or shortly before. */
    private static boolean wantedByOthers(List<Event> history, Ask ask) {
        long from = ask.asked().at() - SLACK - 3 * Checker.ttlNanos(history);
        return history.stream()
                .anyMatch(event -> event.lease().equals(ask.asked().lease())
                        && !event.who().equals(ask.asked().who())
                        && event.at() > from
                        && event.at() < ask.answered().at());
    }
}
