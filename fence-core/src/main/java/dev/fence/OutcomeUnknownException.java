package dev.fence;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The commit was sent and its answer did not come. The write may or may not have taken effect: verify it, never repeat it
 * blindly, never clean up after it.
 */
public final class OutcomeUnknownException extends FenceException {

    private final String resource;
    private final Grant grant;
    private final @Nullable WriteId writeId;

    /** A write that nothing but the caller's own data can verify. */
    public OutcomeUnknownException(String resource, Grant grant, @Nullable Throwable cause) {
        this(resource, grant, null, cause);
    }

    /** @param writeId what to verify the write by; null if it left no trace of its own */
    public OutcomeUnknownException(String resource, Grant grant, @Nullable WriteId writeId, @Nullable Throwable cause) {
        super(
                "it is unknown whether " + (writeId == null ? "a write" : "write " + writeId) + " to resource \""
                        + resource + "\" with token " + grant.token() + " (holder " + grant.holder() + ", lease \""
                        + grant.leaseName() + "\") took effect",
                cause);
        this.resource = resource;
        this.grant = grant;
        this.writeId = writeId;
    }

    public String resource() {
        return resource;
    }

    /** The grant under which it was written. */
    public Grant grant() {
        return grant;
    }

    /** What to verify the write by; empty if it left no trace of its own. */
    public Optional<WriteId> writeId() {
        return Optional.ofNullable(writeId);
    }
}
