package dev.fence.effects;

import java.util.LinkedHashMap;
import java.util.Map;

/** Collects what became of the effects of a run, as it goes. */
final class Batch<R> {

    private final Effects.Progress progress;
    private final int prefixLength;
    private final Map<String, Outcome<R>> outcomes = new LinkedHashMap<>();
    private Totals totals = Totals.NONE;

    Batch(Effects.Progress progress) {
        this(progress, 0);
    }

    /** With how much of the business key to leave off so that the item is left. */
    Batch(Effects.Progress progress, int prefixLength) {
        this.progress = progress;
        this.prefixLength = prefixLength;
    }

    void add(EffectEntry entry, Outcome<R> outcome) {
        String item = entry.key().businessKey().substring(prefixLength);
        outcomes.put(item, outcome);
        totals = totals.plus(outcome);
        progress.after(item, outcome, totals);
    }

    Outcome<R> only() {
        return outcomes.values().iterator().next();
    }

    BatchReport<R> report() {
        return new BatchReport<>(outcomes, totals);
    }
}
