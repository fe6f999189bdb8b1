package dev.fence.lab;

import org.jspecify.annotations.Nullable;

/**
 * What one server of the lock service says to an {@link Ask}.
 *
 * @param token of this server, where it granted or gave a place
 * @param behind whose place in the queue is the one before
 */
record Answer(Ask to, Verdict verdict, long token, @Nullable Acquisition behind) implements Message {

    /** What it says. */
    enum Verdict {
        YES,
        /** There is a place in the queue, not the first. */
        QUEUED,
        NO
    }

    @Override
    public String toString() {
        return "answer to the " + to;
    }
}
