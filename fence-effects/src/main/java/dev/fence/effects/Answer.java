package dev.fence.effects;

/**
 * What a provider's answer to one call means. Whatever the channel has no mapping for is {@link Unknown}, and so is what it
 * throws: "no answer" and "an answer I do not understand" are never "it did not happen".
 *
 * @param <R> the result of a call that succeeded
 */
public sealed interface Answer<R> {

    /**
     * It has happened.
     *
     * @param result what the caller gets
     * @param reference the provider's own name for it, the proof: not blank
     * @param replayed whether the provider says that it only repeats what it answered to this key before
     */
    record Done<R>(R result, String reference, boolean replayed) implements Answer<R> {
        /** @throws IllegalArgumentException if the reference is blank */
        public Done {
            if (reference.isBlank()) {
                throw new IllegalArgumentException("the reference \"" + reference + "\" is blank: done needs a proof");
            }
        }
    }

    /**
     * The provider refuses for sure: nothing has happened and nothing will by this key.
     *
     * @param reason for people
     * @param replayed as in {@link Done}; only a replay also speaks for earlier attempts
     */
    record Refused<R>(String reason, boolean replayed) implements Answer<R> {}

    /** It did surely not happen and may be tried again, such as when no connection came about. */
    record NotExecuted<R>(String reason) implements Answer<R> {}

    /** The provider is still working on an earlier call with this key. */
    record InProgress<R>(String detail) implements Answer<R> {}

    /** The provider says that this key is in use for something else, or was; it did not say what became of it. */
    record Conflict<R>(String detail) implements Answer<R> {}

    /** It may have happened: a time-out, a cut connection, an error without a verdict, an answer without a mapping. */
    record Unknown<R>(String detail) implements Answer<R> {}
}
