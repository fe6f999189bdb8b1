package dev.fence.lab;

import dev.fence.lab.Write.Reading;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Ours: sealed before the first read, and every write compares the whole holder in the step that changes. */
abstract class Fenced extends Resource {

    private final Set<Rule> dropped;

    Fenced(Witness witness, Set<Rule> dropped) {
        super(witness);
        this.dropped = dropped;
    }

    final boolean keeps(Rule rule) {
        return !dropped.contains(rule);
    }

    @Override
    boolean seals() {
        return true;
    }

    @Override
    boolean seal(Acquisition by, int confirmedOn) {
        if (!keeps(Rule.A_SEAL_RAISES_BEFORE_THE_FIRST_READ) || carries(by)) {
            return true;
        }
        Acquisition guard = state().guard();
        boolean lower = Unfenced.isLower(by, guard) && keeps(Rule.A_SEAL_REFUSES_A_LOWER_TOKEN);
        boolean reused = guard != null && by.token() == guard.token() && by != guard;
        if (lower || reused || (!isPresent() && !confirms(confirmedOn))) {
            return false;
        }
        int version = state().version() + (keeps(Rule.EVERY_SEAL_CHANGES_THE_TAG) ? 1 : 0);
        change(new State(state().last(), by, timeline(), version));
        witness().sealed(by);
        return true;
    }

    @Override
    @Nullable
    Reading read(Acquisition by) {
        return admits(by) ? super.read(by) : null;
    }

    /** Whether the holder may write now. */
    final boolean admits(Acquisition by) {
        return keeps(Rule.A_SEAL_RAISES_BEFORE_THE_FIRST_READ) ? carries(by) : !Unfenced.isLower(by, state().guard());
    }

    private boolean carries(Acquisition by) {
        Acquisition guard = state().guard();
        return guard != null && isPresent() && isSame(by, guard);
    }

    private boolean isSame(Acquisition by, Acquisition guard) {
        return keeps(Rule.THE_HOLDER_IS_COMPARED) ? by == guard : by.token() == guard.token();
    }

    /** After a failover the guard counts for nothing: seals may have been lost with the end of the old timeline. */
    private boolean isPresent() {
        return state().guardTimeline() == timeline() || !keeps(Rule.THE_TIMELINE_IS_COMPARED);
    }

    private boolean confirms(int confirmedOn) {
        return keeps(Rule.A_CONFIRMATION_NAMES_THE_TIMELINE) ? confirmedOn == timeline() : confirmedOn > 0;
    }

    /** A guard row in a database; check and change are one transaction. */
    static final class Row extends Fenced {

        Row(Witness witness, Set<Rule> dropped) {
            super(witness, dropped);
        }

        @Override
        boolean checksApart() {
            return !keeps(Rule.CHECK_AND_CHANGE_ARE_ONE_STEP);
        }

        @Override
        boolean check(Acquisition by) {
            return admits(by);
        }

        @Override
        boolean write(Write write) {
            Acquisition by = write.by();
            if (by == null || (checks() && !admits(by))) {
                return false;
            }
            return put(write, keeps(Rule.A_SEAL_RAISES_BEFORE_THE_FIRST_READ) ? state().guard() : by);
        }

        private boolean checks() {
            return keeps(Rule.A_WRITE_CHECKS_THE_GUARD) && keeps(Rule.CHECK_AND_CHANGE_ARE_ONE_STEP);
        }
    }

    /** A stamped object: the stamp is part of the bytes, so seal and write change the tag that the next one must match. */
    static final class StampedObject extends Fenced {

        StampedObject(Witness witness, Set<Rule> dropped) {
            super(witness, dropped);
        }

        @Override
        boolean hasStandby() {
            return false;
        }

        @Override
        boolean write(Write write) {
            boolean matches = keeps(Rule.EVERY_WRITE_CHANGES_THE_TAG)
                    ? state().version() == write.basis().version()
                    : state().last().content() == write.basis().content();
            return matches && put(write, state().guard());
        }
    }
}
