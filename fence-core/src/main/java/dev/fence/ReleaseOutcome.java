package dev.fence;

/** What came of giving a lease back. None of them undoes a write that was acknowledged before. */
public enum ReleaseOutcome {
    /** The service removed the record of this acquisition; the next in the queue may go on. */
    RELEASED,
    /** The record was gone already, or belongs to somebody else. Nothing was changed at the service. */
    NOT_OWNER,
    /** Work was still running, or the service did not answer: the lease ends later, by its time to live at the latest. */
    LEFT_TO_TTL
}
