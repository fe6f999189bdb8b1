package dev.fence.lab;

/** What must not happen. */
enum Violation {
    /** A write replaced one of another holder that its writer had not read. */
    LOST_UPDATE("a write replaced another holder's, which its writer had not read"),
    /** A write took effect although another holder's seal had been acknowledged after its writer's. */
    WRITE_AFTER_SEAL("a write took effect after another holder's seal was acknowledged"),
    /** A guard was sealed below a seal that had been acknowledged. */
    GUARD_FELL("the guard fell below a seal that was acknowledged"),
    /** The same business action was executed twice. */
    DOUBLE_EXECUTION("the same action was executed twice"),
    /** A release ended the lease of somebody else. */
    FOREIGN_RELEASE("a release ended somebody else's lease"),
    /** Two processes held the lock for theirs at the same time, each by its own clock. */
    TWO_HOLDERS("two were sure of the lock at the same moment"),
    /** Another key was put for an acquisition that had one, or that was given up. */
    PLACE_OF_NOBODY("a place in the queue was taken that nobody stands in");

    private final String words;

    Violation(String words) {
        this.words = words;
    }

    @Override
    public String toString() {
        return words;
    }
}
