package dev.fence.lab;

import dev.fence.lab.Write.Reading;
import org.jspecify.annotations.Nullable;

/** Resources that have never heard of a seal. */
abstract class Unfenced extends Resource {

    Unfenced(Witness witness) {
        super(witness);
    }

    /** No resource: what counts is whether two are sure of the lock at the same moment. */
    static final class Nothing extends Unfenced {

        Nothing(Witness witness) {
            super(witness);
        }

        @Override
        boolean hasStandby() {
            return false;
        }

        @Override
        boolean countsHolders() {
            return true;
        }

        @Override
        boolean write(Write write) {
            return true;
        }
    }

    /** Takes every write. */
    static final class Plain extends Unfenced {

        Plain(Witness witness) {
            super(witness);
        }

        @Override
        boolean write(Write write) {
            return put(write, null);
        }
    }

    /** The token is compared and kept by one request, the change follows with another. */
    static final class CheckThenWrite extends Unfenced {

        CheckThenWrite(Witness witness) {
            super(witness);
        }

        @Override
        boolean checksApart() {
            return true;
        }

        @Override
        boolean check(Acquisition by) {
            if (isLower(by, state().guard())) {
                return false;
            }
            change(new State(state().last(), by, state().guardTimeline(), state().version() + 1));
            return true;
        }

        @Override
        boolean write(Write write) {
            return put(write, state().guard());
        }
    }

    /** The write itself raises the highest token that was seen and is refused below it. Nothing raises it before. */
    static final class HighestToken extends Unfenced {

        HighestToken(Witness witness) {
            super(witness);
        }

        @Override
        boolean write(Write write) {
            Acquisition by = write.by();
            return !isLower(by, state().guard()) && put(write, by);
        }
    }

    /** An object that is replaced if its tag is the one that was read. The tag is a hash of the bytes. */
    static final class IfMatch extends Unfenced {

        IfMatch(Witness witness) {
            super(witness);
        }

        @Override
        boolean hasStandby() {
            return false;
        }

        @Override
        boolean write(Write write) {
            return state().last().content() == write.basis().content() && put(write, null);
        }
    }

    /**
     * A provider that cannot check anything. A write executes the first action that the journal does not show as done; its
     * number is what was read. The journal is marked when the answer is there.
     */
    static final class Effect extends Unfenced {

        private final boolean honoursKeys;
        private int executed;
        private int journal;

        Effect(Witness witness, boolean honoursKeys) {
            super(witness);
            this.honoursKeys = honoursKeys;
        }

        @Override
        boolean hasStandby() {
            return false;
        }

        @Override
        Reading read(Acquisition by) {
            return new Reading(journal, 0, journal);
        }

        @Override
        boolean write(Write write) {
            int action = write.basis().number() + 1;
            if (action > executed) {
                executed = action;
            } else if (!honoursKeys) {
                witness().executedAgain();
            }
            return true;
        }

        @Override
        void acknowledged(Write write) {
            journal = Math.max(journal, write.basis().number() + 1);
        }
    }

    static boolean isLower(@Nullable Acquisition by, @Nullable Acquisition guard) {
        return by != null && guard != null && by.token() < guard.token();
    }
}
