package dev.fence.reconcile;

import dev.fence.reconcile.Finding.Kind;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * How much was found of each kind.
 *
 * @param journalEntries read
 * @param statementEntries read
 * @param findings by kind; all kinds are there
 */
public record BookTotals(long journalEntries, long statementEntries, Map<Kind, Long> findings) {

    public BookTotals {
        EnumMap<Kind, Long> all = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            all.put(kind, findings.getOrDefault(kind, 0L));
        }
        findings = Collections.unmodifiableMap(all);
    }

    static final BookTotals NONE = new BookTotals(0, 0, Map.of());

    /** Sums that are still growing. */
    interface Tally {
        BookTotals now();
    }

    public long of(Kind kind) {
        return findings.getOrDefault(kind, 0L);
    }

    /** How many findings somebody must look at. */
    public long differences() {
        return findings.entrySet().stream()
                .filter(entry -> entry.getKey().isDifference())
                .mapToLong(Map.Entry::getValue)
                .sum();
    }
}
