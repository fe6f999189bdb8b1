package dev.fence.properties;

import dev.fence.BusyException;
import dev.fence.GuardMissingException;
import dev.fence.LeaseLostException;
import dev.fence.OutcomeUnknownException;
import dev.fence.StaleTokenException;
import dev.fence.TokenSourceException;

/** What an operation ended in, as the caller was told. */
enum Verdict {
    DONE,
    ROLLED_BACK,
    STALE,
    LEASE_LOST,
    GUARD_MISSING,
    BUSY,
    REUSED_TOKEN,
    FOREIGN_SOURCE,
    OTHER_LEASE_NAME,
    SOURCE_WENT_BACKWARDS,
    NOT_SEALED,
    HISTORY_LOST,
    UNKNOWN,
    /** Something that no operation may end in here. */
    BROKEN;

    /** What the body of {@link Op#ROLL_BACK} throws. */
    static final class BodyFailed extends RuntimeException {
        BodyFailed() {
            super("the body fails");
        }
    }

    static Verdict of(RuntimeException thrown) {
        if (thrown instanceof TokenSourceException e) {
            return valueOf(e.problem().name());
        }
        return thrown instanceof BodyFailed
                ? ROLLED_BACK
                : thrown instanceof StaleTokenException
                        ? STALE
                        : thrown instanceof LeaseLostException
                                ? LEASE_LOST
                                : thrown instanceof GuardMissingException
                                        ? GUARD_MISSING
                                        : thrown instanceof BusyException
                                                ? BUSY
                                                : thrown instanceof OutcomeUnknownException ? UNKNOWN : BROKEN;
    }
}
