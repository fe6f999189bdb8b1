package dev.fence.effects;

import org.jspecify.annotations.Nullable;

/** A person's decision about an effect was refused; nothing changed. The message says where the effect stands. */
public final class DecisionRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    DecisionRefusedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
