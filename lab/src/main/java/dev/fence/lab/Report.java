package dev.fence.lab;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Results for people and for machines. */
record Report(Options options, List<Result> results) {

    static final String FIRST_COLUMN = "lock ";

    String toJson() {
        return results.stream().map(Result::toJson).collect(Collectors.joining(",\n", "{\"results\":[\n", "\n]}\n"));
    }

    /**
     * One row for each lock and resource, one column for each fault: a dot, or the length of the shortest violated timeline;
     * blank for what was not tried.
     */
    String matrix() {
        StringBuilder text = new StringBuilder(line(FIRST_COLUMN, "resource", Stream.of(Fault.values())));
        for (LockKind lock : LockKind.values()) {
            for (ResourceKind resource : ResourceKind.values()) {
                List<Result> row = rowOf(lock, resource);
                if (!row.isEmpty()) {
                    text.append(line(lock, resource, Stream.of(Fault.values()).map(fault -> cell(row, fault))));
                }
            }
        }
        return text.toString();
    }

    /** The matrix, and what it says. */
    String table() {
        return matrix()
                + String.format(
                        Locale.ROOT,
                        ".: no violation in %d timelines; a number: events of the shortest violated timeline found, told above.\n"
                                + "seed %d, %d combinations, %d timelines",
                        options.timelines(),
                        options.seed(),
                        results.size(),
                        results.stream().mapToLong(Result::timelines).sum());
    }

    private static String line(Object lock, Object resource, Stream<?> cells) {
        return String.format(Locale.ROOT, "%-14s%-18s", lock, resource)
                + cells.map(cell -> String.format(Locale.ROOT, "%10s", cell)).collect(Collectors.joining())
                + "\n";
    }

    private static String cell(List<Result> row, Fault fault) {
        return row.stream()
                .filter(result -> result.combination().fault() == fault)
                .map(result -> result.isSafe() ? "." : String.valueOf(result.shortestLength()))
                .findFirst()
                .orElse("");
    }

    /** The shortest timeline of each row that has one. */
    String stories() {
        StringBuilder text = new StringBuilder();
        for (LockKind lock : LockKind.values()) {
            for (ResourceKind resource : ResourceKind.values()) {
                shortest(rowOf(lock, resource))
                        .ifPresent(timeline -> text.append(story(timeline)).append('\n'));
            }
        }
        return text.toString();
    }

    static String story(Timeline timeline) {
        return timeline.combination() + ": " + timeline.violation() + "\n"
                + timeline.history().indent(2);
    }

    private static Optional<Timeline> shortest(List<Result> row) {
        return row.stream()
                .flatMap(result -> Optional.ofNullable(result.shortest()).stream())
                .min(Comparator.comparingInt(timeline -> timeline.events().size()));
    }

    private List<Result> rowOf(LockKind lock, ResourceKind resource) {
        return results.stream()
                .filter(result -> result.combination().lock() == lock
                        && result.combination().resource() == resource)
                .toList();
    }
}
