package dev.fence.effects;

import dev.fence.Lease;
import dev.fence.LeaseState;
import java.time.Duration;

/**
 * Whether a lease is good for long enough to make a call under it. A call that is still on its way when the lease ends is what
 * the successor cannot know about.
 */
final class LeaseBudget {

    private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

    private final Lease lease;
    private final Patience patience;

    LeaseBudget(Lease lease, Patience patience) {
        this.lease = lease;
        this.patience = patience;
    }

    /** Whether there is more than {@code needed} left at this moment. */
    boolean covers(Duration needed) {
        return lease.remaining().compareTo(needed) > 0;
    }

    /**
     * The same, but waits for the next heartbeats to be confirmed, at most for what is left now: just before a heartbeat a
     * lease always looks shorter than it is.
     */
    boolean comesToCover(Duration needed) throws InterruptedException {
        long looks = lease.remaining().toMillis() / LOOK_AGAIN.toMillis();
        for (; !covers(needed); looks--) {
            if (lease.state() instanceof LeaseState.Lost || looks <= 0) {
                return false;
            }
            patience.pause(LOOK_AGAIN);
        }
        return true;
    }

    @Override
    public String toString() {
        return lease.remaining() + " left of lease \"" + lease.name() + "\"";
    }
}
