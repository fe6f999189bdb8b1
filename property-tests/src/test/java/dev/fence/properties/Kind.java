package dev.fence.properties;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The kinds of events, each with who does it, how often it comes up among the others, and which ways there are. */
enum Kind {
    /** A process without a lease asks for it. */
    ACQUIRE(6),
    /** The same, but under another name, or from another source. */
    ACQUIRE_ANOTHER(1, By.PROCESS, "name", "source"),
    RELEASE(3),
    SEAL(6),
    READ(6),
    WRITE(6),
    /** The write of a read-modify-write: replaces the value that was read. */
    UPDATE(12),
    /** A write that puts back the content from before the newest write: other bytes in between, the same bytes again. */
    WRITE_BACK(1),
    /** A write whose body fails after its change. */
    ROLL_BACK(2),
    /** The local check of an operation, whose thread then stands before sending anything. */
    CHECK(8, By.PROCESS, "update", "write", "read", "seal"),
    /** A thread that stood somewhere goes on, without looking at its lease again. */
    GO_ON(8),
    PAUSE(4),
    /** The process runs again, and its thread goes on where it stood. */
    RESUME(10),
    /** Less than the time between two heartbeats passes. */
    TICK(4, By.TIME),
    /** More than a time to live passes, with the heartbeats of all that are not paused. */
    EXPIRE(4, By.TIME),
    /** The lease service gives a live lease away and tells nobody. */
    GIVE_AWAY(5, By.SERVICE),
    /** A worker gets the grant, as text. */
    HAND_OVER(3),
    WORKER_WRITE(4),
    /** A write under a grant that differs in one thing from what the guard carries. */
    FORGED_WRITE(4, By.SOMEBODY, "holder", "source", "name", "token"),
    CREATE(2),
    CUT_OFF(2),
    RECONNECT(2),
    /** The answer to the next write of a process is lost on its way. */
    LOSE_REPLY(2),
    STEP_WALL_CLOCK(2, By.CLOCK, "+1s", "-1s", "+1h", "-1h"),
    /** The lease service is restored from a backup: it forgets its last grants and gives their tokens again. */
    RESTORE(1, By.SERVICE, "1", "2", "3"),
    /** A write stops inside its body, after the change and before the commit. */
    PARK(6, By.PROCESS, "write", "update");

    /** Who does it. */
    enum By {
        PROCESS,
        SERVICE,
        CLOCK,
        SOMEBODY,
        /** Nobody: it is only a time. */
        TIME;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final int weight;
    private final By by;

    @SuppressWarnings("ImmutableEnumChecker") // List.of
    private final List<String> arguments;

    Kind(int weight) {
        this(weight, By.PROCESS);
    }

    Kind(int weight, By by, String... arguments) {
        this.weight = weight;
        this.by = by;
        this.arguments = List.of(arguments);
    }

    int weight() {
        return weight;
    }

    By by() {
        return by;
    }

    /** The ways there are; empty if there is only one. */
    List<String> arguments() {
        return arguments;
    }

    String argument(int arg) {
        return arguments.isEmpty() ? "" : arguments.get(arg % arguments.size());
    }

    /** What does less and may do as well in a story; null if there is nothing. */
    @Nullable
    Kind simpler() {
        return this == UPDATE || this == WRITE_BACK ? WRITE : this == WRITE ? READ : null;
    }

    /** Its name in files. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
