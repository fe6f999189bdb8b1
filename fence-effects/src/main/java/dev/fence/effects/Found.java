package dev.fence.effects;

/**
 * What a provider's own books say about a key.
 *
 * @param <R> the result of a call that succeeded
 */
public sealed interface Found<R> {

    /**
     * It has happened.
     *
     * @param reference the provider's own name for it: not blank
     */
    record Happened<R>(R result, String reference) implements Found<R> {
        /** @throws IllegalArgumentException if the reference is blank */
        public Happened {
            if (reference.isBlank()) {
                throw new IllegalArgumentException("the reference \"" + reference + "\" is blank: done needs a proof");
            }
        }
    }

    /** The books have nothing under this key, at this moment. */
    record Nothing<R>() implements Found<R> {}

    /** The books could not be read, or cannot be searched for this. */
    record CannotTell<R>(String detail) implements Found<R> {}
}
