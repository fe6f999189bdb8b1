package dev.fence;

import org.jspecify.annotations.Nullable;

/**
 * Not now: somebody held a lock for too long, two transactions collided, the service or the store could not be reached, or
 * the connection was cut before the commit was sent. Nothing changed; the same may be tried again under the same lease.
 */
public final class BusyException extends FenceException {

    public BusyException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
