package dev.fence.lab;

import dev.fence.lab.Write.Reading;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** What is protected. Every method is one atomic step at the resource. The base is the unfenced one: it takes what comes. */
abstract class Resource {

    private static final int STANDBY_LAG = 3;

    /**
     * What the resource stores.
     *
     * @param guard what it remembers of holders
     * @param guardTimeline the timeline on which the guard was raised
     */
    record State(Write last, @Nullable Acquisition guard, int guardTimeline, int version) {}

    private final Witness witness;
    private final Deque<State> past = new ArrayDeque<>();
    private State state = new State(Write.BEGINNING, null, 1, 0);
    private int timeline = 1;

    Resource(Witness witness) {
        this.witness = witness;
    }

    /** Whether a holder seals before it reads. */
    boolean seals() {
        return false;
    }

    /** Whether a write is two requests: a check and then the change. */
    boolean checksApart() {
        return false;
    }

    /** Whether two who are sure of the lock at the same moment are bad enough. */
    boolean countsHolders() {
        return false;
    }

    /** Whether it has a standby that can be promoted too early. */
    boolean hasStandby() {
        return true;
    }

    /**
     * Raises the guard to a holder that may have it.
     *
     * @param confirmedOn the timeline that was seen before the lock service confirmed the holder, 0 if it was not confirmed
     * @return whether the guard carries the holder now
     */
    boolean seal(Acquisition by, int confirmedOn) {
        throw new UnsupportedOperationException("nothing to seal");
    }

    /** Null if the reader is refused. */
    @Nullable
    Reading read(Acquisition by) {
        return new Reading(state.last().number(), state.last().content(), state.version());
    }

    /** The first of two requests, where a check is one of its own. */
    boolean check(Acquisition by) {
        return true;
    }

    /** Whether the write took effect. */
    abstract boolean write(Write write);

    /** The writer heard that its write took effect. */
    void acknowledged(Write write) {}

    /** A standby is promoted that lacks the last {@code changes}. */
    final void failOver(int changes) {
        for (int i = 0; i < changes && !past.isEmpty(); i++) {
            state = past.removeLast();
        }
        timeline++;
    }

    final State state() {
        return state;
    }

    final int timeline() {
        return timeline;
    }

    final Witness witness() {
        return witness;
    }

    final boolean put(Write write, @Nullable Acquisition guard) {
        witness.wrote(write, state.last());
        change(new State(write, guard, state.guardTimeline(), state.version() + 1));
        return true;
    }

    final void change(State next) {
        past.addLast(state);
        if (past.size() > STANDBY_LAG) {
            past.removeFirst();
        }
        state = next;
    }
}
