package dev.fence.effects;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A journal that passes everything on; what goes wrong is in the subclass. */
class JournalInBetween implements Journal {

    private final Journal journal;

    JournalInBetween(Journal journal) {
        this.journal = journal;
    }

    @Override
    public List<Planned> plan(String effect, boolean keyed, @Nullable String run, List<Plan> plans, Acceptance accept) {
        return journal.plan(effect, keyed, run, plans, accept);
    }

    @Override
    public EffectEntry move(EffectEntry entry, Step step) {
        return journal.move(entry, step);
    }

    @Override
    public EffectEntry read(EffectKey key) {
        return journal.read(key);
    }

    @Override
    public List<EffectEntry> open(String effect, String after, int limit) {
        return journal.open(effect, after, limit);
    }
}
