package dev.fence;

import java.time.Duration;
import java.util.function.Consumer;

/** A lease that is over when any lease of its set is. */
final class LeaseOfSet implements Lease {

    private final LeaseSet set;
    private final Lease lease;

    LeaseOfSet(LeaseSet set, Lease lease) {
        this.set = set;
        this.lease = lease;
    }

    @Override
    public Grant grant() {
        return lease.grant();
    }

    @Override
    public LeaseState state() {
        return set.loss().<LeaseState>map(LeaseState.Lost::new).orElseGet(lease::state);
    }

    @Override
    public Duration remaining() {
        return set.remaining();
    }

    @Override
    public void confirm() {
        requireNotLost(); // with the reason of the set, not that of its being given back
        lease.confirm();
        requireNotLost();
    }

    /** With one lost the set releases all, and each then tells its own listeners. */
    @Override
    public void onLoss(Consumer<LossReason> listener) {
        lease.onLoss(own -> listener.accept(set.loss().orElse(own)));
    }

    @Override
    public Work begin() {
        requireNotLost();
        // Registered first, as for a single lease: a release that comes between waits for this work, or this sees the
        // loss.
        Work work = lease.begin();
        try {
            requireNotLost();
            return work;
        } catch (LeaseLostException e) {
            work.close();
            throw e;
        }
    }

    @Override
    public ReleaseOutcome release() {
        set.close();
        return lease.release();
    }

    private void requireNotLost() {
        set.loss().ifPresent(reason -> {
            throw new LeaseLostException(grant(), reason);
        });
    }

    @Override
    public String toString() {
        return grant() + " " + state();
    }
}
