package dev.fence.s3;

import dev.fence.FenceException;
import dev.fence.Grant;
import dev.fence.StaleTokenException;
import dev.fence.TokenSourceException;
import dev.fence.TokenSourceException.Problem;
import dev.fence.spi.Mandate;
import org.jspecify.annotations.Nullable;

/** Compares what a guard carries with who comes. */
final class Guard {

    private Guard() {}

    /** Why nobody with this grant may seal; null if the guard may be raised to it, or carries it already. */
    static @Nullable FenceException refusesSeal(String resource, Grant guard, Mandate who) {
        Grant grant = who.grant();
        FenceException mismatch = refusesBinding(resource, guard, grant);
        if (mismatch != null) {
            return mismatch;
        }
        if (guard.token().isNewerThan(grant.token())) {
            return who.explain(new StaleTokenException(resource, grant, guard, null));
        }
        if (guard.token().equals(grant.token()) && !guard.holder().equals(grant.holder())) {
            return problem(Problem.REUSED_TOKEN, resource, guard, grant);
        }
        return null;
    }

    /** Why nobody with this grant may write; null only if the guard carries exactly this grant. */
    static @Nullable FenceException refusesWrite(String resource, Grant guard, Mandate who) {
        FenceException refusal = refusesSeal(resource, guard, who);
        if (refusal == null && !guard.equals(who.grant())) {
            // An older guard than ours: a handed-over grant that nobody sealed, or a seal that the store has lost.
            return problem(Problem.HISTORY_LOST, resource, guard, who.grant());
        }
        return refusal;
    }

    /** Why the guard belongs to somebody else altogether; null if source and lease name are the same. */
    static @Nullable FenceException refusesBinding(String resource, Grant guard, Grant grant) {
        if (!guard.source().equals(grant.source())) {
            return problem(Problem.FOREIGN_SOURCE, resource, guard, grant);
        }
        return guard.leaseName().equals(grant.leaseName())
                ? null
                : problem(Problem.OTHER_LEASE_NAME, resource, guard, grant);
    }

    private static TokenSourceException problem(Problem problem, String resource, Grant guard, Grant refused) {
        return new TokenSourceException(
                problem,
                resource,
                refused,
                "the guard carries token " + guard.token() + " of source \"" + guard.source() + "\" (holder "
                        + guard.holder() + ", lease \"" + guard.leaseName() + "\")",
                null);
    }
}
