package dev.fence;

import org.jspecify.annotations.Nullable;

/**
 * The commit was sent and its answer did not come. The write may or may not have taken effect: verify it, never repeat it
 * blindly, never clean up after it.
 */
public final class OutcomeUnknownException extends FenceException {

    private final String resource;
    private final Grant grant;

    public OutcomeUnknownException(String resource, Grant grant, @Nullable Throwable cause) {
        super(
                "it is unknown whether a write to resource \"" + resource + "\" with token " + grant.token()
                        + " (holder " + grant.holder() + ", lease \"" + grant.leaseName() + "\") took effect",
                cause);
        this.resource = resource;
        this.grant = grant;
    }

    public String resource() {
        return resource;
    }

    /** The grant under which it was written. */
    public Grant grant() {
        return grant;
    }
}
