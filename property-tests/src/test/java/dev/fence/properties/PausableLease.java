package dev.fence.properties;

import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.LeaseState;
import dev.fence.LossReason;
import dev.fence.ReleaseOutcome;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A lease whose local check can lie before a pause, as it does for a thread that was stopped between asking its lease and
 * sending: between {@link #checkNow} and {@link #forget} it answers what it answered then.
 */
final class PausableLease implements Lease {

    private final Lease lease;
    private @Nullable Checked checked;

    private record Checked(Work work, LeaseState state, Duration remaining) {}

    PausableLease(Lease lease) {
        this.lease = lease;
    }

    /** @throws dev.fence.LeaseLostException if the lease is over */
    void checkNow() {
        checked = new Checked(lease.begin(), lease.state(), lease.remaining());
    }

    void forget() {
        Checked known = checked;
        if (known != null) {
            known.work().close();
            checked = null;
        }
    }

    boolean isOver() {
        return state() instanceof LeaseState.Lost;
    }

    /** By its own clock and this moment, past what was asked before a pause. */
    boolean isGoodNow() {
        return !(lease.state() instanceof LeaseState.Lost);
    }

    @Override
    public LeaseState state() {
        Checked known = checked;
        return known == null ? lease.state() : known.state();
    }

    @Override
    public Duration remaining() {
        Checked known = checked;
        return known == null ? lease.remaining() : known.remaining();
    }

    @Override
    public Work begin() {
        Checked known = checked;
        return known == null ? lease.begin() : known.work();
    }

    @Override
    public Grant grant() {
        return lease.grant();
    }

    @Override
    public void confirm() {
        lease.confirm();
    }

    @Override
    public void onLoss(Consumer<LossReason> listener) {
        lease.onLoss(listener);
    }

    @Override
    public ReleaseOutcome release() {
        return lease.release();
    }
}
