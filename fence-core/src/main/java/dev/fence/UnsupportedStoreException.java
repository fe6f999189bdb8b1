package dev.fence;

import org.jspecify.annotations.Nullable;

/** The store, as it is set up, cannot keep a guard. Nothing changed; the message says what to fix. */
public final class UnsupportedStoreException extends FenceException {

    public UnsupportedStoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
