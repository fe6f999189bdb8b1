package dev.fence;

import java.time.Duration;

/**
 * What happens, for metrics and logs. Calls come on the thread on which it happened, may be concurrent, and must return
 * quickly; an exception of a listener is logged and changes nothing.
 */
public interface FenceEvents {

    /** Listens to nothing. */
    FenceEvents NONE = new FenceEvents() {};

    /** An acquisition found the lease taken and waits in the queue. */
    default void waiting(String leaseName) {}

    /** A lease was granted, {@code waited} after it was asked for. */
    default void acquired(Grant grant, Duration waited) {}

    /** A lease ended otherwise than by being closed. */
    default void lost(Grant grant, LossReason reason) {}

    /** A lease was closed, by its holder or with its source. */
    default void released(Grant grant, ReleaseOutcome outcome) {}

    /** A guard was raised to {@code grant}. */
    default void sealed(Grant grant, String resource) {}

    /** A seal or a write under {@code grant} was refused; nothing changed. */
    default void refused(Grant grant, String resource, FenceException refusal) {}

    /** It is unknown whether a seal or a write under {@code grant} took effect. */
    default void unknown(Grant grant, String resource, OutcomeUnknownException outcome) {}
}
