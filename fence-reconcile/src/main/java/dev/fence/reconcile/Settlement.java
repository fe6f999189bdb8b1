package dev.fence.reconcile;

import dev.fence.Lease;
import dev.fence.effects.EffectChannel;
import dev.fence.effects.EffectKey;
import dev.fence.effects.Effects;
import dev.fence.effects.Found;
import dev.fence.effects.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Effects in doubt that the statement has, as a comparison that ran to its end found them. Nothing is changed before {@link #apply}.
 */
public final class Settlement {

    /** How many are remembered. The next comparison finds the rest. */
    private static final int LIMIT = 100_000;

    private final String statement;
    private final List<Finding.Matched> candidates;
    private final BookTotals totals;

    private Settlement(String statement, List<Finding.Matched> candidates, BookTotals totals) {
        this.statement = statement;
        this.candidates = List.copyOf(candidates);
        this.totals = totals;
    }

    /** Takes what may be settled: matched, and in doubt. */
    static final class Collector implements FindingSink {

        private final String statement;
        private final List<Finding.Matched> candidates = new ArrayList<>();

        Collector(String statement) {
            this.statement = statement;
        }

        @Override
        public void accept(Finding finding) {
            if (finding instanceof Finding.Matched matched
                    && matched.our().claim() == Claim.MAY_HAVE_HAPPENED
                    && candidates.size() < LIMIT) {
                candidates.add(matched);
            }
        }

        Settlement settlement(BookTotals totals) {
            return new Settlement(statement, candidates, totals);
        }
    }

    /** What the comparison found. */
    public BookTotals totals() {
        return totals;
    }

    /** What would be closed, at most 100,000. The next comparison finds the rest. */
    public List<Finding.Matched> candidates() {
        return candidates;
    }

    /**
     * Closes the effects as done, with the statement's reference as proof, under a lease: each step is a fenced write of its own, under
     * the rules of {@link Effects#confirm}. An effect that is for a person, has moved since, or belongs to another lease's journal
     * stays as it is, and its outcome says where it stands. Applying twice changes nothing.
     *
     * @param resultOf what the effect's result is, by the line of the statement
     * @return by business key
     * @throws IllegalArgumentException if the journal that was compared was not a {@link JournalBook} of this channel; nothing was
     *     changed
     * @throws dev.fence.FenceException if the lease is over or the journal cannot be reached; what was closed before stays closed
     */
    public <Q, R> Map<String, Outcome<R>> apply(
            Effects effects, Lease lease, EffectChannel<Q, R> channel, Function<BookEntry, R> resultOf) {
        Map<EffectKey, BookEntry> lines = new LinkedHashMap<>();
        for (Finding.Matched matched : candidates) {
            EffectKey key =
                    new EffectKey(channel.traits().effect(), matched.our().reference());
            if (!key.text().equals(matched.our().key())) {
                throw new IllegalArgumentException("entry " + matched.our() + " is not effect " + key
                        + ": only what a JournalBook of this channel says can be applied");
            }
            lines.put(key, matched.their());
        }
        Map<String, Outcome<R>> outcomes = new LinkedHashMap<>();
        lines.forEach((key, line) -> outcomes.put(
                key.businessKey(),
                effects.confirm(lease, channel, key, new Found.Happened<>(resultOf.apply(line), proof(line)))));
        return outcomes;
    }

    private String proof(BookEntry line) {
        return line.reference().isBlank() ? statement + ", line " + line.line() : line.reference();
    }
}
