package dev.fence;

/**
 * What a {@link LeaderElection} calls. Calls come one at a time (but for an {@code onDemoted} that takes longer than
 * {@link ElectionSettings#longestDemotion}, which the next term does not wait for), each pair on a thread of its own: {@link #onElected}, and after
 * it has returned and the term is over {@link #onDemoted}, exactly once. What they throw is logged.
 */
public interface Candidate {

    /**
     * This candidate leads: the service confirmed the lease, and the declared resources are sealed. Starts the work and
     * returns; a call that still runs when the term ends is interrupted.
     *
     * @throws Exception to step down at once
     */
    void onElected(Leadership leadership) throws Exception;

    /**
     * The term is over: stops the work and returns when it has stopped. Until then the lease is not given back, within the
     * bounds that {@link LeaderElection} states.
     *
     * @param ended what {@link #onElected} was called with
     * @param reason why the lease is over; {@link LossReason.Kind#CLOSED} after resigning and closing
     */
    void onDemoted(Leadership ended, LossReason reason);

    /**
     * An attempt to be elected failed and will be repeated. Between two terms, on the thread that campaigns.
     *
     * @param why the failure; an {@link Error} comes as the cause of an {@link IllegalStateException}
     */
    default void onFailed(RuntimeException why) {}
}
