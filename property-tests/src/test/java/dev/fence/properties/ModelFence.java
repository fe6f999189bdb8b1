package dev.fence.properties;

import dev.fence.BusyException;
import dev.fence.Fence;
import dev.fence.FenceException;
import dev.fence.FencedWriter;
import dev.fence.Grant;
import dev.fence.GuardMissingException;
import dev.fence.Lease;
import dev.fence.StaleTokenException;
import dev.fence.TokenSourceException;
import dev.fence.TokenSourceException.Problem;
import dev.fence.spi.Mandate;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The protocol and nothing else: one resource in memory, whose guard is compared as a whole. Where the real thing waits, this
 * one is busy at once. Not for several threads at a time.
 */
final class ModelFence implements Fence<Register>, Subject {

    private static final String RESOURCE = "ledger";

    private final Set<Rule> dropped;
    private final MemoryRegister register = new MemoryRegister();
    private @Nullable Grant guard;
    private int openBodies;
    private int timeline = 1;
    private int timelineOfGuard = 1;

    ModelFence(Set<Rule> dropped) {
        this.dropped = dropped;
    }

    static ModelFence withAllRules() {
        return new ModelFence(EnumSet.noneOf(Rule.class));
    }

    static ModelFence without(Rule rule) {
        return new ModelFence(EnumSet.of(rule));
    }

    @Override
    public boolean create(Lease lease, String resource) {
        if (keeps(Rule.A_GUARD_IS_CREATED_WITH_A_CONFIRMED_LEASE)) {
            lease.confirm();
        }
        Grant known = guard;
        if (known != null) {
            requireSameSeries(lease.grant(), known);
            return false;
        }
        guard = lease.grant();
        timelineOfGuard = timeline;
        return true;
    }

    @Override
    @SuppressWarnings("try") // the work is open meanwhile, nothing is asked of it
    public FencedWriter<Register> seal(Lease lease, String resource) {
        Mandate mandate = Mandate.of(lease);
        try (Lease.Work work = begin(mandate)) {
            if (keeps(Rule.A_SEAL_RAISES_BEFORE_THE_FIRST_READ)) {
                raise(lease, mandate);
            }
        }
        return new Writer(mandate);
    }

    @Override
    public FencedWriter<Register> attach(Grant grant, String resource) {
        return new Writer(Mandate.of(grant));
    }

    private void raise(Lease lease, Mandate mandate) {
        Grant own = mandate.grant();
        Grant known = guard;
        if (known == null) {
            if (keeps(Rule.A_GUARD_IS_CREATED_BY_A_STEP_OF_ITS_OWN)) {
                throw new GuardMissingException(RESOURCE, own, null);
            }
        } else if (!known.equals(own) || isOnNewTimeline()) {
            requireSameSeries(own, known);
            int order = own.token().compareTo(known.token());
            if (order < 0 && keeps(Rule.A_SEAL_REFUSES_A_LOWER_TOKEN)) {
                throw older(mandate, known);
            }
            if (order == 0 && !own.holder().equals(known.holder()) && keeps(Rule.THE_HOLDER_IS_COMPARED)) {
                throw refused(Problem.REUSED_TOKEN, own, known);
            }
            if (isOnNewTimeline()) {
                lease.confirm();
            }
            if (openBodies > 0 && keeps(Rule.A_SEAL_WAITS_FOR_OPEN_BODIES)) {
                throw new BusyException("a body is open", null);
            }
        }
        guard = own;
        timelineOfGuard = timeline;
    }

    private boolean isOnNewTimeline() {
        return timelineOfGuard != timeline && keeps(Rule.A_NEW_TIMELINE_IS_SEALED_BY_A_CONFIRMED_HOLDER_FIRST);
    }

    private void check(Mandate mandate) {
        Grant own = mandate.grant();
        Grant known = guard;
        if (known == null) {
            throw new GuardMissingException(RESOURCE, own, null);
        }
        requireSameSeries(own, known);
        int order = own.token().compareTo(known.token());
        boolean mayRaise = mandate.remaining().isPresent()
                ? !keeps(Rule.A_SEAL_RAISES_BEFORE_THE_FIRST_READ)
                : !keeps(Rule.A_GRANT_NEVER_SEALS);
        if (order >= 0 && isOnNewTimeline()) {
            throw refused(Problem.HISTORY_LOST, own, known);
        }
        if (order > 0 && mayRaise) {
            guard = own;
        } else if (order > 0) {
            throw refused(Problem.NOT_SEALED, own, known);
        } else if (order < 0 && keeps(Rule.A_WRITE_COMPARES_THE_TOKEN)) {
            throw older(mandate, known);
        } else if (order == 0 && !own.holder().equals(known.holder()) && keeps(Rule.THE_HOLDER_IS_COMPARED)) {
            throw refused(Problem.REUSED_TOKEN, own, known);
        }
    }

    private void requireSameSeries(Grant own, Grant known) {
        if (!own.source().equals(known.source()) && keeps(Rule.THE_SOURCE_IS_COMPARED)) {
            throw refused(Problem.FOREIGN_SOURCE, own, known);
        }
        if (!own.leaseName().equals(known.leaseName()) && keeps(Rule.THE_LEASE_NAME_IS_COMPARED)) {
            throw refused(Problem.OTHER_LEASE_NAME, own, known);
        }
    }

    private FenceException older(Mandate mandate, Grant known) {
        StaleTokenException stale = new StaleTokenException(RESOURCE, mandate.grant(), known, null);
        return keeps(Rule.A_HIGHER_GUARD_THAN_THE_PRESENT_HOLDER_IS_NOT_STALE) ? mandate.explain(stale) : stale;
    }

    private static TokenSourceException refused(Problem problem, Grant own, Grant known) {
        return new TokenSourceException(problem, RESOURCE, own, "the guard carries " + known, null);
    }

    private Lease.Work begin(Mandate mandate) {
        return keeps(Rule.A_LOST_LEASE_SENDS_NOTHING) ? mandate.begin() : () -> {};
    }

    private boolean keeps(Rule rule) {
        return !dropped.contains(rule);
    }

    @Override
    public Fence<Register> fence() {
        return this;
    }

    @Override
    public String resource() {
        return RESOURCE;
    }

    @Override
    public void failOver() {
        timeline++;
    }

    @Override
    public Sight look() {
        return new Sight(guard, register.landed());
    }

    @Override
    public String name() {
        return dropped.isEmpty()
                ? Script.FENCED
                : Subjects.name(dropped.iterator().next());
    }

    private final class Writer implements FencedWriter<Register> {

        private final Mandate mandate;

        Writer(Mandate mandate) {
            this.mandate = mandate;
        }

        @Override
        public String resource() {
            return RESOURCE;
        }

        @Override
        public Grant grant() {
            return mandate.grant();
        }

        @Override
        @SuppressWarnings("try") // the work is open meanwhile, nothing is asked of it
        public <R extends @Nullable Object, X extends Exception> R call(Call<? super Register, R, X> body) throws X {
            try (Lease.Work work = begin(mandate)) {
                check(mandate);
                openBodies++;
                try {
                    R result = register.transact(body, keeps(Rule.A_FAILED_BODY_CHANGES_NOTHING));
                    if (!keeps(Rule.WHAT_IS_ACKNOWLEDGED_IS_IN_EFFECT)) {
                        register.forgetNewest();
                    }
                    return result;
                } finally {
                    openBodies--;
                }
            }
        }
    }
}
