package dev.fence.effects;

import java.util.HashMap;
import java.util.Map;

/** A journal that writes down that a call leaves only when the answer is there: the twin that must be caught. */
final class Forgetful extends JournalInBetween {

    private final Map<EffectKey, EffectEntry> planned = new HashMap<>();

    Forgetful(Journal journal) {
        super(journal);
    }

    @Override
    public EffectEntry move(EffectEntry entry, Step step) {
        if (step.evidence() == Evidence.CALL) {
            planned.put(entry.key(), entry);
            return asSent(entry);
        }
        EffectEntry before = planned.remove(entry.key());
        return super.move(
                before == null ? entry : super.move(before, new Step(EffectState.SENT, Evidence.CALL, "late")), step);
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
}
