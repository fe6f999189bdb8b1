package dev.fence.effects;

import java.util.Set;

/** The process is killed when it wants to write down what some calls answered, once for each. */
final class KilledAfterTheCall extends JournalInBetween {

    static final class Killed extends Error {
        private static final long serialVersionUID = 1;
    }

    private final Set<String> businessKeys;

    KilledAfterTheCall(Journal journal, Set<String> businessKeys) {
        super(journal);
        this.businessKeys = businessKeys;
    }

    @Override
    public EffectEntry move(EffectEntry entry, Step step) {
        if (step.evidence() == Evidence.ANSWER
                && businessKeys.remove(entry.key().businessKey())) {
            throw new Killed();
        }
        return super.move(entry, step);
    }
}
