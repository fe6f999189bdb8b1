package dev.fence.effects;

import dev.fence.effects.Journal.Step;

/** The transition table of docs/effects.md, once more beside the SQL: the two are compared, and the model uses it. */
final class Transitions {

    private Transitions() {}

    /** Whether a holder may take this step; {@code own} if it marked the effect sent itself. */
    static boolean permitted(EffectEntry e, Step step, boolean own) {
        boolean open = e.state() == EffectState.SENT || e.state() == EffectState.UNKNOWN;
        return switch (step.evidence()) {
            case CALL -> e.state() == EffectState.PLANNED && step.to() == EffectState.SENT;
            case REPEAT -> open && step.to() == EffectState.SENT && e.keyed();
            case ANSWER -> e.state() == EffectState.SENT && own && answers(e, step);
            case LOOKUP ->
                open
                        && switch (step.to()) {
                            case DONE, MANUAL -> true;
                            case NOT_EXECUTED -> e.keyed();
                            default -> false;
                        };
            case LIMIT -> (open || e.state() == EffectState.NOT_EXECUTED) && step.to() == EffectState.MANUAL;
            case AGAIN -> e.state() == EffectState.NOT_EXECUTED && step.to() == EffectState.PLANNED;
        };
    }

    private static boolean answers(EffectEntry e, Step step) {
        return switch (step.to()) {
            case DONE, UNKNOWN -> true;
            case REFUSED -> step.replayed() || !e.doubt();
            case NOT_EXECUTED -> !e.doubt();
            default -> false;
        };
    }
}
