package dev.fence;

/**
 * What this process knows about a lease at the moment of asking. A pause can make any answer old before it is read, so
 * no answer is a permission to write: that is decided by the resource.
 */
public sealed interface LeaseState {

    /** The service confirmed the lease, and by our own clock it cannot have ended since. */
    record Held() implements LeaseState {}

    /**
     * By our own clock the lease cannot have ended, but there is reason for doubt.
     *
     * @param why the service does not answer, or elapsed time and wall clock disagree
     */
    record Uncertain(String why) implements LeaseState {}

    /**
     * The lease is over. This state is final.
     *
     * @param reason what ended it
     */
    record Lost(LossReason reason) implements LeaseState {}
}
