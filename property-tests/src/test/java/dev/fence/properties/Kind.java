package dev.fence.properties;

/** The kinds of events, each with how often it comes up among the others. */
enum Kind {
    /** A process without a lease asks for it. */
    ACQUIRE(6),
    /** The same, but under another name, or from another source. */
    ACQUIRE_ANOTHER(1),
    RELEASE(3),
    SEAL(6),
    READ(6),
    WRITE(6),
    /** The write of a read-modify-write: replaces the value that was read. */
    UPDATE(12),
    /** A write whose body fails after its change. */
    ROLL_BACK(2),
    /** The local check of an operation, whose thread then stands before sending anything. */
    CHECK(8),
    /** A thread that stood somewhere goes on, without looking at its lease again. */
    GO_ON(8),
    PAUSE(4),
    /** The process runs again, and its thread goes on where it stood. */
    RESUME(10),
    /** Less than the time between two heartbeats passes. */
    TICK(4),
    /** More than a time to live passes, with the heartbeats of all that are not paused. */
    EXPIRE(4),
    /** The lease service gives a live lease away and tells nobody. */
    GIVE_AWAY(5),
    /** A worker gets the grant, as text. */
    HAND_OVER(3),
    WORKER_WRITE(4),
    /** A write under a grant that differs in one thing from what the guard carries. */
    FORGED_WRITE(4),
    CREATE(2),
    CUT_OFF(2),
    RECONNECT(2),
    STEP_WALL_CLOCK(2),
    /** The lease service is restored from a backup: its tokens go backwards. */
    RESTORE(1),
    /** A write stops inside its body, after the change and before the commit. */
    PARK(6);

    private final int weight;

    Kind(int weight) {
        this.weight = weight;
    }

    int weight() {
        return weight;
    }
}
