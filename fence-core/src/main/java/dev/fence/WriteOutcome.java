package dev.fence;

/** What came of one write, as far as the resource can tell. */
public enum WriteOutcome {
    /** It took effect under a guard that still stands. */
    APPLIED,
    /**
     * It took effect, and then a newer holder sealed the resource. The newer holder may have built on it: what it refers to
     * must not be cleaned up.
     */
    APPLIED_THEN_SUPERSEDED,
    /** It did not take effect and never will. */
    REFUSED,
    /** The resource cannot tell. It may have taken effect, or may still. */
    UNKNOWN
}
