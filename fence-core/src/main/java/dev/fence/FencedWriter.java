package dev.fence;

import org.jspecify.annotations.Nullable;

/**
 * Writes that take effect only if the guard of the resource still carries the writer's own grant.
 *
 * <p>Each call ends in one of three ways: it returns, and the write has taken effect; it throws
 * {@link OutcomeUnknownException}, and the write may or may not have taken effect; or it throws anything else, a
 * {@link FenceException} or what the body threw, and nothing has changed.
 *
 * <p>Safe for use by several threads; writes of one holder may run side by side.
 *
 * @param <C> what a body writes with
 */
public interface FencedWriter<C> {

    /** The protected resource. */
    String resource();

    /** The grant under which this writer writes. */
    Grant grant();

    /**
     * Runs {@code body} once and makes its changes take effect together, or not at all.
     *
     * @throws X what the body threw; nothing has changed
     * @throws StaleTokenException if a newer holder has sealed
     * @throws LeaseLostException if the writer's lease is over; nothing was sent
     * @throws GuardMissingException if the resource has no guard
     * @throws TokenSourceException if guard and grant disagree about more than who is newer
     * @throws BusyException if it could not be done now; nothing changed
     * @throws OutcomeUnknownException if it may have taken effect
     */
    default <X extends Exception> void write(Body<? super C, X> body) throws X {
        this.<Boolean, X>call(c -> {
            body.run(c);
            return Boolean.TRUE;
        });
    }

    /** Like {@link #write}, and returns what the body returned. Reads that count for later writes belong here. */
    <R extends @Nullable Object, X extends Exception> R call(Call<? super C, R, X> body) throws X;

    /** A body without a result. */
    @FunctionalInterface
    interface Body<C, X extends Exception> {
        void run(C c) throws X;
    }

    /** A body with a result. */
    @FunctionalInterface
    interface Call<C, R extends @Nullable Object, X extends Exception> {
        R run(C c) throws X;
    }
}
