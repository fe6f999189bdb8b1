package dev.fence;

import org.jspecify.annotations.Nullable;

/**
 * Guard and token source disagree about more than who is newer. Nothing changed, and waiting will not help: an operator
 * must look.
 */
public final class TokenSourceException extends FenceException {

    /** What they disagree about. */
    public enum Problem {
        /** The guard carries the same token for another holder: a source gave one token twice. */
        REUSED_TOKEN,
        /** The guard belongs to another token source. */
        FOREIGN_SOURCE,
        /** The guard belongs to another lease name. */
        OTHER_LEASE_NAME,
        /** The guard is ahead of the present holder: the source was restored or restarted and went backwards. */
        SOURCE_WENT_BACKWARDS,
        /** The guard carries a lower token: this grant never sealed it, or an operator has lowered it since. */
        NOT_SEALED,
        /** The database continues on another timeline than the guard was sealed on: seals may have been lost. */
        HISTORY_LOST
    }

    private final Problem problem;
    private final String resource;
    private final Grant refused;

    /** @param detail what the guard carries, in words for people */
    public TokenSourceException(
            Problem problem, String resource, Grant refused, String detail, @Nullable Throwable cause) {
        super(
                "resource \"" + resource + "\" refused token " + refused.token() + " of source \"" + refused.source()
                        + "\" (holder " + refused.holder() + ", lease \"" + refused.leaseName() + "\"): " + problem
                        + ", "
                        + detail + "; nothing changed",
                cause);
        this.problem = problem;
        this.resource = resource;
        this.refused = refused;
    }

    public Problem problem() {
        return problem;
    }

    public String resource() {
        return resource;
    }

    /** The grant that was refused. */
    public Grant refused() {
        return refused;
    }
}
