package dev.fence.reconcile;

/** What a book says about an entry. A statement claims of each of its lines that it happened. */
public enum Claim {
    /** It has happened. */
    HAPPENED,
    /** It was sent, and what became of it is not known. */
    MAY_HAVE_HAPPENED,
    /** It did not happen: never called, or refused for sure. */
    DID_NOT_HAPPEN
}
