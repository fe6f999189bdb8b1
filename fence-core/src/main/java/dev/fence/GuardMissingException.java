package dev.fence;

import org.jspecify.annotations.Nullable;

/**
 * The resource has no guard: it was never created, or it vanished. Nothing changed. Create it deliberately, or find out who
 * removed it; a guard is never made on the side.
 */
public final class GuardMissingException extends FenceException {

    private final String resource;

    public GuardMissingException(String resource, Grant refused, @Nullable Throwable cause) {
        super(
                "resource \"" + resource + "\" has no guard, so token " + refused.token() + " (holder "
                        + refused.holder() + ", lease \"" + refused.leaseName() + "\") was refused; nothing changed",
                cause);
        this.resource = resource;
    }

    /** For somebody who only reads and has no grant. */
    public GuardMissingException(String resource, @Nullable Throwable cause) {
        super("resource \"" + resource + "\" has no guard; nothing changed", cause);
        this.resource = resource;
    }

    public String resource() {
        return resource;
    }
}
