package dev.fence.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.properties.Falsifier.Found;
import dev.fence.properties.LeaseMoves.Move;
import dev.fence.properties.LeaseMoves.Slip;
import dev.fence.properties.LeaseMoves.What;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;

/** Invariants 7 and 8 over the real lease state machine: what a holder believes is never more than what the service grants. */
class LeaseProperties {

    private static final int MOST_TRIES = 1000;
    private static final int LONGEST_STORY = 8;

    private static final Set<What> HONEST_CLOCKS = EnumSet.complementOf(EnumSet.of(What.DRIFT, What.SLEEP));
    private static final Set<What> DRIFTING = EnumSet.complementOf(EnumSet.of(What.SLEEP));
    /** With a wall clock that is not stepped: a step back as far as the sleep was long hides it from everybody. */
    private static final Set<What> SLEEPING = EnumSet.complementOf(EnumSet.of(What.DRIFT, What.STEP_WALL_CLOCK));

    @Example
    void aHolderBelievesNoMoreThanTheServiceGrants() {
        assertHolds(HONEST_CLOCKS, 10_000);
    }

    /** The margin is there for this. */
    @Example
    void norDoesAHolderWhoseClockDriftsByLessThanTheMargin() {
        assertHolds(DRIFTING, 3_000);
        assertThat(find(HONEST_CLOCKS, Slip.LEAVES_NO_MARGIN))
                .as("without drift no margin is needed")
                .isEmpty();
        assertThat(find(DRIFTING, Slip.LEAVES_NO_MARGIN))
                .hasValueSatisfying(found -> assertThat(found.words()).startsWith("believed at"));
    }

    /** The elapsed clock alone says that nothing has happened; together with the wall clock it tells. */
    @Example
    void norDoesAHolderWhoseMachineSleptUnnoticed() {
        assertHolds(SLEEPING, 3_000);
        assertThat(find(SLEEPING, Slip.IGNORES_THE_WALL_CLOCK)).isPresent();
    }

    @Property(generation = GenerationMode.EXHAUSTIVE)
    void everySlipIsFound(@ForAll Slip slip) {
        Optional<Found<Move>> found = find(slip == Slip.LEAVES_NO_MARGIN ? DRIFTING : HONEST_CLOCKS, slip);

        assertThat(found).as("a violation by %s", slip).isPresent();
        assertThat(found.get().list()).as("%s", found.get()).hasSizeLessThanOrEqualTo(LONGEST_STORY);
    }

    private static void assertHolds(Set<What> whats, int usually) {
        assertThat(Falsifier.find(moves(whats), LeaseMoves::play, Search.tries("lease", usually), Search.seed()))
                .isEmpty();
    }

    private static Optional<Found<Move>> find(Set<What> whats, Slip slip) {
        return Falsifier.find(moves(whats), list -> LeaseMoves.play(list, slip), MOST_TRIES, Search.fixedSeed());
    }

    private static Arbitrary<List<Move>> moves(Set<What> whats) {
        Arbitrary<Integer> millis = Arbitraries.oneOf(
                Arbitraries.of(1, 2, 999, 1000, 1001, 3333, 5999, 8999, 9000, 9999, 10_000, 25_000),
                Arbitraries.integers().between(0, 12_000));
        return Combinators.combine(Arbitraries.of(whats), millis)
                .as(Move::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(30);
    }
}
