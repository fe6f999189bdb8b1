package dev.fence.properties;

import dev.fence.Grant;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What an operation may end in, from the protocol alone: the guard that is there, the grant that comes, and the lease. */
final class Oracle {

    /** What stands behind an operation. */
    enum Behind {
        /** A grant that was handed over. */
        GRANT,
        /** A lease that is over by its own clock. */
        LOST_LEASE,
        /** A lease whose local check passed. */
        LEASE,
        /** The same, and the service would confirm it now. */
        CONFIRMED_LEASE
    }

    private Oracle() {}

    /**
     * @param newTimeline whether the database has continued on another timeline since the guard was sealed
     * @param openBodies whether another write stands inside its body
     */
    static Set<Verdict> expect(
            Op op, Grant grant, @Nullable Grant guard, boolean newTimeline, Behind behind, boolean openBodies) {
        if (behind == Behind.LOST_LEASE) {
            return EnumSet.of(Verdict.LEASE_LOST);
        }
        if (op == Op.CREATE && behind != Behind.CONFIRMED_LEASE) {
            return EnumSet.of(Verdict.LEASE_LOST, Verdict.BUSY);
        }
        Set<Verdict> verdicts = guard == null ? withoutGuard(op) : against(op, grant, guard, newTimeline, behind);
        if (openBodies) {
            verdicts.add(Verdict.BUSY);
        }
        return verdicts;
    }

    private static Set<Verdict> withoutGuard(Op op) {
        return EnumSet.of(op == Op.CREATE ? Verdict.DONE : Verdict.GUARD_MISSING);
    }

    private static Set<Verdict> against(Op op, Grant grant, Grant guard, boolean newTimeline, Behind behind) {
        if (!grant.source().equals(guard.source())) {
            return EnumSet.of(Verdict.FOREIGN_SOURCE);
        }
        if (!grant.leaseName().equals(guard.leaseName())) {
            return EnumSet.of(Verdict.OTHER_LEASE_NAME);
        }
        int order = grant.token().compareTo(guard.token());
        if (op == Op.CREATE) {
            return EnumSet.of(Verdict.DONE);
        }
        if (order < 0) {
            return EnumSet.of(behind == Behind.CONFIRMED_LEASE ? Verdict.SOURCE_WENT_BACKWARDS : Verdict.STALE);
        }
        if (newTimeline && op != Op.SEAL) {
            return EnumSet.of(Verdict.HISTORY_LOST);
        }
        if (order == 0 && !grant.equals(guard)) {
            return EnumSet.of(Verdict.REUSED_TOKEN);
        }
        if (newTimeline && behind != Behind.CONFIRMED_LEASE) {
            return EnumSet.of(Verdict.LEASE_LOST, Verdict.BUSY);
        }
        if (order > 0 && op != Op.SEAL) {
            return EnumSet.of(Verdict.NOT_SEALED);
        }
        return EnumSet.of(op == Op.ROLL_BACK ? Verdict.ROLLED_BACK : Verdict.DONE);
    }
}
