package dev.fence.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.properties.Falsifier.Found;
import dev.fence.properties.LeaseMoves.Move;
import dev.fence.properties.LeaseMoves.Slip;
import dev.fence.properties.LeaseMoves.What;
import java.util.List;
import java.util.Optional;
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

    @Example
    void aHolderBelievesNoMoreThanTheServiceGrants() {
        assertThat(Falsifier.find(moves(), LeaseMoves::play, Search.tries("lease", 10_000), Search.seed()))
                .isEmpty();
    }

    @Property(generation = GenerationMode.EXHAUSTIVE)
    void everySlipIsFound(@ForAll Slip slip) {
        Optional<Found<Move>> found =
                Falsifier.find(moves(), list -> LeaseMoves.play(list, slip), MOST_TRIES, Search.fixedSeed());

        assertThat(found).as("a violation by %s", slip).isPresent();
        assertThat(found.get().list()).as("%s", found.get()).hasSizeLessThanOrEqualTo(LONGEST_STORY);
    }

    private static Arbitrary<List<Move>> moves() {
        Arbitrary<Integer> millis = Arbitraries.oneOf(
                Arbitraries.of(1, 2, 999, 1000, 1001, 3333, 5999, 8999, 9000, 9999, 10_000, 25_000),
                Arbitraries.integers().between(0, 12_000));
        return Combinators.combine(Arbitraries.of(What.class), millis)
                .as(Move::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(30);
    }
}
