package dev.fence.chaos;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The entries of each resource form one chain along which tokens never fall: no write of a former holder took effect after the
 * next has sealed, and nobody built on what had changed. What was told to be applied is there, what was refused is not.
 */
final class Writes implements Checker.Rule {

    private static final String RULE = "one chain of writes";

    private record Entry(long id, long predecessor, String writeId, long token) {}

    @Override
    public void check(List<Event> history, Consumer<Violation> found) {
        Map<String, Map<Long, Entry>> byPredecessor = new HashMap<>();
        Set<String> there = new HashSet<>();
        for (Event event : history) {
            if (event.what() == What.ROW) {
                String[] parts = event.detail().split(" ", -1);
                Entry entry = new Entry(Long.parseLong(parts[0]), Long.parseLong(parts[1]), parts[2], event.token());
                there.add(entry.writeId());
                Entry fork = byPredecessor
                        .computeIfAbsent(event.lease(), resource -> new HashMap<>())
                        .putIfAbsent(entry.predecessor(), entry);
                if (fork != null) {
                    found.accept(new Violation(
                            RULE,
                            "tokens " + fork.token() + " and " + entry.token() + " both wrote after entry "
                                    + entry.predecessor() + " of " + event.lease()));
                }
            }
        }
        byPredecessor.forEach((resource, entries) -> follow(resource, entries, found));
        history.forEach(event -> compare(event, there, found));
    }

    private static void follow(String resource, Map<Long, Entry> byPredecessor, Consumer<Violation> found) {
        long last = 0;
        long token = 0;
        int length = 0;
        for (Entry entry = byPredecessor.get(0L); entry != null; entry = byPredecessor.get(last)) {
            if (entry.token() < token) {
                found.accept(new Violation(
                        RULE,
                        "a write with token " + entry.token() + " took effect in " + resource + " after one with token "
                                + token));
            }
            last = entry.id();
            token = entry.token();
            length++;
        }
        if (length < byPredecessor.size()) {
            found.accept(new Violation(
                    RULE,
                    "of " + byPredecessor.size() + " entries of " + resource + " only " + length + " are linked"));
        }
    }

    private static void compare(Event told, Set<String> there, Consumer<Violation> found) {
        String writeId = told.detail().split(" ", 2)[0];
        if (told.what() == What.APPLIED && !there.contains(writeId)) {
            found.accept(new Violation(RULE, "applied write " + writeId + " of " + told.who() + " is not there"));
        }
        if (told.what() == What.REFUSED && there.contains(writeId)) {
            found.accept(new Violation(RULE, "refused write " + writeId + " of " + told.who() + " is there"));
        }
    }
}
