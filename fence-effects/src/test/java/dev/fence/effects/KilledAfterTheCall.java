package dev.fence.effects;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The process is killed when it wants to write down what some calls answered, once for each. */
final class KilledAfterTheCall implements Journal {

    static final class Killed extends Error {
        private static final long serialVersionUID = 1;
    }

    private final Journal journal;
    private final Set<String> businessKeys;

    KilledAfterTheCall(Journal journal, Set<String> businessKeys) {
        this.journal = journal;
        this.businessKeys = businessKeys;
    }

    @Override
    public EffectEntry move(EffectEntry entry, Step step) {
        if (step.evidence() == Evidence.ANSWER
                && businessKeys.remove(entry.key().businessKey())) {
            throw new Killed();
        }
        return journal.move(entry, step);
    }

    @Override
    public List<Planned> plan(String effect, boolean keyed, @Nullable String run, List<Plan> plans, Acceptance accept) {
        return journal.plan(effect, keyed, run, plans, accept);
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
