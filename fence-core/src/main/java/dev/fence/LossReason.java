package dev.fence;

/**
 * Why a lease ended.
 *
 * @param kind what to tell apart in code
 * @param detail what to tell people: measured times and names
 */
public record LossReason(Kind kind, String detail) {

    /** The ways in which a lease ends. */
    public enum Kind {
        /** Our own clock: no heartbeat was confirmed in time. The service could not be reached, or did not answer. */
        EXPIRED,
        /** Our own clock, and this process itself was paused or starved: it sent no heartbeat, or stood still meanwhile. */
        PAUSED,
        /** The lease's own record vanished at the service while its session lived on. */
        REMOVED,
        /** The service says that the session is over: expired there, or revoked by somebody. */
        REVOKED,
        /** The longest hold that was asked for is over. */
        MAX_HOLD,
        /** The lease, or the {@link Leases} that gave it, was closed here. */
        CLOSED
    }

    @Override
    public String toString() {
        return kind + " (" + detail + ")";
    }
}
