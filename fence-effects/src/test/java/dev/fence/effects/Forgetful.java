package dev.fence.effects;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A journal that writes down that a call leaves only when the answer is there: the twin that must be caught. */
final class Forgetful implements Journal {

    private final Journal journal;
    private final Map<EffectKey, EffectEntry> planned = new HashMap<>();

    Forgetful(Journal journal) {
        this.journal = journal;
    }

    @Override
    public EffectEntry move(EffectEntry entry, Step step) {
        if (step.evidence() == Evidence.CALL) {
            planned.put(entry.key(), entry);
            return asSent(entry);
        }
        EffectEntry before = planned.remove(entry.key());
        return journal.move(
                before == null ? entry : journal.move(before, new Step(EffectState.SENT, Evidence.CALL, "late")), step);
    }

    private static EffectEntry asSent(EffectEntry e) {
        return new EffectEntry(
                e.key(),
                e.journal(),
                e.run(),
                e.keyed(),
                e.request(),
                EffectState.SENT,
                e.attempts(),
                e.attemptsSinceDecision(),
                e.doubt(),
                e.sinceFirstSent(),
                e.sinceLastSent(),
                e.reference(),
                e.result(),
                e.replayed(),
                e.detail(),
                e.plannedAt(),
                e.changedAt());
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
