package dev.fence.lab;

/** What can happen in a timeline. */
enum Kind {
    /**
     * A process takes its next step: acquire, seal, read, check, write. Acquiring waits until nobody is in the way, or takes a
     * place in the queue.
     */
    STEP(30),
    /** A process gives the lock back, or up. */
    RELEASE(2),
    WAIT(4),
    /** A process stands still right after it looked at its lease, and goes on without looking again. */
    PAUSE(6),
    /** The next request is on its way for long; its sender gives up after a while. */
    LATE(5),
    /** The next request to the lock service arrives, the answer is on its way for long. */
    LATE_REPLY(3),
    LATE_RELEASE(3),
    /** A heartbeat is on its way for long, and all that come after it wait behind it. */
    LATE_RENEWAL(2),
    LATE_RENEWAL_REPLY(2),
    /** A message that was late arrives, any of them: messages overtake each other. */
    DELIVER(6),
    /** The next request does not arrive; its sender repeats it. */
    LOSE_REQUEST(3),
    /** The next request takes effect, its sender does not hear of it. */
    LOSE_REPLY(4),
    /** A process reaches the resource, but the lock service no longer. */
    CUT_OFF(4),
    /** A process reaches the lock service, but its answers no longer reach the process. */
    GO_DEAF(2),
    /** The next request arrives now, and once more later. */
    DUPLICATE(4),
    DUPLICATE_RENEWAL(1),
    /** The wall clock of a server of the lock service steps ahead by more than a time to live. */
    SERVICE_CLOCK_STEPS_AHEAD(5),
    SERVICE_CLOCK_STEPS_BACK(2),
    /** The wall clock of a server of the lock service goes four times too fast from here on. */
    SERVICE_CLOCK_DRIFTS(3),
    /** The clock of a process goes eight times too slow from here on. */
    PROCESS_CLOCK_DRIFTS(4),
    /** A process loses what it knew and starts anew. */
    CRASH(3),
    SERVICE_RESTARTS(4),
    SERVICE_FAILS_OVER(4),
    /** The resource's database fails over to a standby that lacks the last changes. */
    RESOURCE_FAILS_OVER(9),
    /** The lock service is restored from a backup: tokens are given a second time. */
    SERVICE_IS_RESTORED(4),
    /** What is added to the counted tokens is raised, as it must be after a restore. */
    FLOOR_IS_RAISED(3);

    private final int weight;

    Kind(int weight) {
        this.weight = weight;
    }

    /** What happens also where nothing goes wrong. */
    boolean isOrdinary() {
        return this == STEP || this == RELEASE || this == WAIT;
    }

    /** A step of a process, whatever becomes of its request. */
    boolean isStep() {
        return switch (this) {
            case STEP, LATE, LATE_REPLY, LOSE_REQUEST, LOSE_REPLY, DUPLICATE -> true;
            default -> false;
        };
    }

    /** How often it is drawn among the others. */
    int weight() {
        return weight;
    }
}
