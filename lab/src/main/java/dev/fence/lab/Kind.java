package dev.fence.lab;

/** What can happen in a timeline. */
enum Kind {
    /** A process takes its next step: acquire, seal, read, check, write. Acquiring waits until the lock is free. */
    STEP(24),
    RELEASE(2),
    WAIT(2),
    /** A process stands still right after it looked at its lease, and goes on without looking again. */
    PAUSE(6),
    /** The next request is on its way for long; its sender gives up meanwhile. */
    LATE(5),
    LATE_RELEASE(3),
    /** A request that was late arrives, any of them: requests overtake each other. */
    DELIVER(6),
    /** The next request does not arrive; its sender repeats it. */
    LOSE_REQUEST(2),
    /** The next request takes effect, its sender does not hear of it. */
    LOSE_REPLY(4),
    /** A process reaches the resource, but the lock service no longer. */
    CUT_OFF(4),
    /** The next request arrives now, and once more later. */
    DUPLICATE(4),
    /** The wall clock of a server of the lock service steps ahead by more than a time to live. */
    SERVICE_CLOCK_STEPS(5),
    /** The clock of a process goes eight times too slow from here on. */
    PROCESS_CLOCK_DRIFTS(4),
    /** A process loses what it knew and starts anew. */
    CRASH(3),
    SERVICE_RESTARTS(4),
    SERVICE_FAILS_OVER(4),
    /** The resource's database fails over to a standby that lacks the last changes. */
    RESOURCE_FAILS_OVER(9),
    /** The lock service is restored from a backup: tokens are given a second time. */
    SERVICE_IS_RESTORED(4);

    private final int weight;

    Kind(int weight) {
        this.weight = weight;
    }

    /** What happens also where nothing goes wrong. */
    boolean isOrdinary() {
        return this == STEP || this == RELEASE || this == WAIT;
    }

    /** How often it is drawn among the others. */
    int weight() {
        return weight;
    }
}
