package dev.fence.effects;

import dev.fence.BusyException;
import dev.fence.FenceException;
import dev.fence.OutcomeUnknownException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The journal of one lease, as its holder writes it: every method is a fenced read or write under the guard of the journal, and
 * throws a {@link FenceException} if this is no longer the newest holder, or if the journal cannot be reached.
 */
interface Journal {

    /** The longest request, result, reference or detail, in characters. */
    int MAX_TEXT_LENGTH = 65_536;

    /** What a step rests on. */
    enum Evidence {
        CALL,
        REPEAT,
        ANSWER,
        LOOKUP,
        LIMIT,
        AGAIN
    }

    /** An effect to be written down. */
    record Plan(EffectKey key, String request) {}

    /** What the journal has for a plan, and whether it is new in it. */
    record Planned(EffectEntry entry, boolean fresh) {}

    /** A step of an effect, from where it stands to {@code to}. */
    record Step(
            EffectState to,
            Evidence evidence,
            @Nullable String reference,
            @Nullable String result,
            boolean replayed,
            String detail) {

        Step(EffectState to, Evidence evidence, String detail) {
            this(to, evidence, null, null, false, detail);
        }
    }

    /**
     * Takes what it is given if {@code accept} does not throw, all or nothing.
     *
     * @param run the batch, or null: then nothing but the plans is returned
     * @return what the journal has for the plans, and everything else of the run
     */
    List<Planned> plan(String effect, boolean keyed, @Nullable String run, List<Plan> plans, Acceptance accept);

    /**
     * Takes one step.
     *
     * @throws MovedMeanwhileException if the effect does not stand where {@code entry} says
     * @throws OutcomeUnknownException if it may have been taken
     * @throws BusyException if it was not taken and may be tried again
     */
    EffectEntry move(EffectEntry entry, Step step);

    EffectEntry read(EffectKey key);

    /** Up to {@code limit} effects that are not over, by key, from behind {@code after} on. */
    List<EffectEntry> open(String effect, String after, int limit);

    /** Looks at what a plan found, and throws if it must not stand. */
    @FunctionalInterface
    interface Acceptance {
        void examine(List<Planned> found);
    }

    /** Somebody else decided: the operator, since nobody else can. */
    final class MovedMeanwhileException extends RuntimeException {
        private static final long serialVersionUID = 1;

        MovedMeanwhileException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }
}
