package dev.fence.lab;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Results for people and for machines. */
record Report(List<Result> results) {

    String toJson() {
        return results.stream().map(Result::toJson).collect(Collectors.joining(",\n", "{\"results\":[\n", "\n]}\n"));
    }

    /** One row for each lock and resource, one column for each fault: a dot, or the length of the shortest violated timeline. */
    String matrix() {
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "%-14s%-18s", "lock", "resource"));
        for (Fault fault : Fault.values()) {
            text.append(String.format(Locale.ROOT, "%10s", fault));
        }
        text.append('\n');
        for (LockKind lock : LockKind.values()) {
            for (ResourceKind resource : ResourceKind.values()) {
                text.append(String.format(Locale.ROOT, "%-14s%-18s", lock, resource));
                rowOf(lock, resource)
                        .forEach(result -> text.append(String.format(
                                Locale.ROOT, "%10s", result.isSafe() ? "." : String.valueOf(result.shortestLength()))));
                text.append('\n');
            }
        }
        return text.toString();
    }

    /** The shortest timeline of each row that has one. */
    String stories() {
        StringBuilder text = new StringBuilder();
        for (LockKind lock : LockKind.values()) {
            for (ResourceKind resource : ResourceKind.values()) {
                shortest(rowOf(lock, resource))
                        .ifPresent(timeline -> text.append(timeline.combination())
                                .append(": ")
                                .append(timeline.violation())
                                .append('\n')
                                .append(timeline.history().indent(2))
                                .append('\n'));
            }
        }
        return text.toString();
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
