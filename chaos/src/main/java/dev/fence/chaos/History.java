package dev.fence.chaos;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** What was seen in one run. Safe for use by several threads. */
final class History implements Consumer<Event> {

    private final Queue<Event> events = new ConcurrentLinkedQueue<>();
    private final Map<String, String> lastHolders = new ConcurrentHashMap<>();
    private final Set<String> written = ConcurrentHashMap.newKeySet();

    @Override
    public void accept(Event event) {
        events.add(event);
        if (event.what() == What.GRANTED || event.what() == What.ELECTED) {
            lastHolders.put(event.lease(), event.process());
        } else if (event.what() == What.APPLIED) {
            written.add(event.lease());
        }
    }

    /** The process that was granted the lease last, as far as it has been told; empty if none was. */
    String lastHolder(String lease) {
        return lastHolders.getOrDefault(lease, "");
    }

    /** Whether a write under the lease is known to have taken effect. */
    boolean isWritten(String lease) {
        return written.contains(lease);
    }

    /** All events by their times. */
    List<Event> inOrder() {
        return events.stream().sorted(Comparator.comparingLong(Event::at)).toList();
    }

    void write(Path file) throws IOException {
        Files.write(file, inOrder().stream().map(Event::toLine).toList(), StandardCharsets.UTF_8);
    }

    /** @throws IllegalArgumentException if a line is malformed */
    static History read(Path file) throws IOException {
        History history = new History();
        Files.readAllLines(file, StandardCharsets.UTF_8).stream()
                .map(Event::parse)
                .forEach(history);
        return history;
    }
}
