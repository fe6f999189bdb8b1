package dev.fence.effects;

import java.util.Optional;

/**
 * Where an effect stands after a run. Applied, refused and unknown are three types, as everywhere: clean-up and compensation
 * belong behind {@link Refused} alone.
 *
 * @param <R> the result of a call that succeeded
 */
public sealed interface Outcome<R> {

    /**
     * It has happened, once.
     *
     * @param result what the provider answered; empty if only a person's word says that it happened
     * @param reference the proof: the provider's own name for it, or what the operator stated
     * @param replayed whether the provider said that it repeated an earlier answer
     */
    record Done<R>(Optional<R> result, String reference, boolean replayed) implements Outcome<R> {}

    /** The provider refused for sure. Final: another try is another business key. */
    record Refused<R>(String reason) implements Outcome<R> {}

    /** It may have happened. The next run looks again. */
    record Unknown<R>(String detail) implements Outcome<R> {}

    /** Only a person can decide; see {@link EffectDesk}. */
    record Manual<R>(String detail) implements Outcome<R> {}

    /** It has not been tried, or surely did not happen: the next run executes it. */
    record Planned<R>(String detail) implements Outcome<R> {}
}
