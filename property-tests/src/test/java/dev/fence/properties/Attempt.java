package dev.fence.properties;

import dev.fence.Grant;
import java.util.Set;

/**
 * One operation and its end.
 *
 * @param number of the write, 0 for what does not write
 * @param replaces the write that an update was computed from
 * @param expected what it may end in, by {@link Oracle}
 * @param value what a read returned, else 0
 * @param words the exception's message, or empty
 */
record Attempt(
        Op op,
        Grant grant,
        long number,
        long replaces,
        Set<Verdict> expected,
        Verdict verdict,
        long value,
        String words) {

    boolean isDone() {
        return verdict == Verdict.DONE;
    }

    String name() {
        return switch (op) {
            case WRITE, WRITE_BACK, ROLL_BACK -> op + " #" + number;
            case UPDATE -> op + " #" + replaces + " to #" + number;
            case CREATE, SEAL, READ -> op.toString();
        };
    }

    String end() {
        return verdict + (op == Op.READ && verdict == Verdict.DONE ? " (#" + value + ")" : "");
    }
}
