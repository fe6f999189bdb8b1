package dev.fence.lab;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sees what takes effect and what is acknowledged, and judges it. It knows no lock and no guard: it would judge a protocol
 * that nobody thought of by the same rules.
 */
final class Witness {

    private @Nullable Violation violation;
    private @Nullable Acquisition lastSealer;
    private long highestSealed;
    /** Who has had a place in a queue, or shall have none any more. */
    private final Set<Acquisition> placed = new HashSet<>();

    Optional<Violation> violation() {
        return Optional.ofNullable(violation);
    }

    /**
     * A write took effect. What a holder's own writes do to each other is its own business, and what a failover of the
     * database loses was replaced by nobody: the number that is replaced is then lower than the one that was read.
     */
    void wrote(Write write, Write replaced) {
        if (lastSealer != null && write.by() != lastSealer) {
            found(Violation.WRITE_AFTER_SEAL);
        }
        if (replaced.by() != write.by() && replaced.number() > write.basis().number()) {
            found(Violation.LOST_UPDATE);
        }
    }

    /** A guard carries this holder from now on, whether or not anybody hears of it. */
    void sealed(Acquisition sealer) {
        if (sealer.token() < highestSealed) {
            found(Violation.GUARD_FELL);
        }
    }

    /** The sealer heard that the guard carries it. */
    void acknowledgedSeal(Acquisition sealer) {
        sealed(sealer);
        highestSealed = Math.max(highestSealed, sealer.token());
        lastSealer = sealer;
    }

    void executedAgain() {
        found(Violation.DOUBLE_EXECUTION);
    }

    void releasedForeign() {
        found(Violation.FOREIGN_RELEASE);
    }

    void twoHolders() {
        found(Violation.TWO_HOLDERS);
    }

    void tookAPlace(Acquisition by) {
        if (!placed.add(by)) {
            found(Violation.PLACE_OF_NOBODY);
        }
    }

    /** Given back or given up: whatever arrives for it now is too late. */
    void leftTheQueue(Acquisition by) {
        placed.add(by);
    }

    private void found(Violation what) {
        if (violation == null) {
            violation = what;
        }
    }
}
