package dev.fence;

import java.time.Duration;

/**
 * A lease was not granted within the wait that the caller chose. Nothing is left at the service; if it fell silent meanwhile,
 * which the message says, the place in the queue is removed as soon as it answers, or ends with the session.
 */
public final class LeaseTimeoutException extends FenceException {

    private final String leaseName;
    private final Duration waited;

    /** @param holder who holds the lease, in words for people; says so when it is this very process */
    public LeaseTimeoutException(String leaseName, Duration waited, String holder) {
        super("lease \"" + leaseName + "\" was not granted within " + waited + ": held by " + holder, null);
        this.leaseName = leaseName;
        this.waited = waited;
    }

    public String leaseName() {
        return leaseName;
    }

    /** The longest wait that was asked for. */
    public Duration waited() {
        return waited;
    }
}
