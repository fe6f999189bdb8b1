package dev.fence.effects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.Lease;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.BiFunction;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Crashes, pauses, time-outs and a provider that loses, delays and forgets, over the model of the journal. */
class EffectTimelinesProperties {

    /** For {@code script/stress effects}: how many timelines of either kind, and from which seed on. */
    private static final int TIMELINES = Integer.getInteger("fence.effects.timelines", 5_000);

    private static final long SEED = Long.getLong("fence.effects.seed", 20_131);

    @Provide
    Arbitrary<List<Integer>> chance() {
        return Arbitraries.integers().between(0, 839).list().ofMaxSize(80);
    }

    @Property(tries = 2_000)
    void withKeysEachEffectHappensOnceAndIsKnownToHaveHappened(@ForAll("chance") List<Integer> chance) {
        EffectTimelines.requireOnce(chance, EffectTimelinesProperties::model);
    }

    @Property(tries = 2_000)
    void withoutKeysNoEffectHappensTwiceAndNoneIsLost(@ForAll("chance") List<Integer> chance) {
        EffectTimelines.requireAtMostOnce(chance, EffectTimelinesProperties::model);
    }

    @Example
    void theLongRun() {
        for (long seed = SEED; seed < SEED + TIMELINES; seed++) {
            List<Integer> chance = chanceOf(seed);
            try {
                EffectTimelines.requireOnce(chance, EffectTimelinesProperties::model);
                EffectTimelines.requireAtMostOnce(chance, EffectTimelinesProperties::model);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("timeline of -Dfence.effects.seed=" + seed + ": " + chance, e);
            }
        }
    }

    /** The harness proves itself: a provider that only claims to know keys again pays twice, and that is seen. */
    @Example
    void aProviderThatClaimsToHonourKeysIsCaught() {
        assertThat(firstViolation(
                        chance -> EffectTimelines.play(chance, EffectTimelinesProperties::model, true, false, false)))
                .isLessThan(1_000);
    }

    /** And so does a journal that forgets that a call left. */
    @Example
    void aCallThatIsNotWrittenDownFirstIsCaught() {
        assertThat(firstViolation(
                        chance -> EffectTimelines.play(chance, world -> forgetful(model(world)), false, false, false)))
                .isLessThan(1_000);
    }

    private interface Timeline {
        void play(List<Integer> chance);
    }

    private static int firstViolation(Timeline timeline) {
        for (int seed = 0; seed < 1_000; seed++) {
            try {
                timeline.play(chanceOf(seed));
            } catch (AssertionError violated) {
                return seed;
            }
        }
        return Integer.MAX_VALUE;
    }

    private static List<Integer> chanceOf(long seed) {
        Random random = new Random(seed);
        List<Integer> chance = new ArrayList<>();
        int faults = 10 + random.nextInt(70);
        for (int i = 0; i < faults; i++) {
            chance.add(random.nextInt(840)); // a multiple of all numbers of choices
        }
        return chance;
    }

    private static EffectTimelines.Journals model(SimulatedWorld world) {
        ModelJournal journal = new ModelJournal(world.time());
        return new EffectTimelines.Journals() {
            @Override
            public BiFunction<Lease, String, Journal> hands() {
                return journal::sealedBy;
            }

            @Override
            public String name() {
                return "run";
            }

            @Override
            public Optional<EffectState> state(EffectKey key) {
                return journal.state(key);
            }
        };
    }

    private static EffectTimelines.Journals forgetful(EffectTimelines.Journals journals) {
        return new EffectTimelines.Journals() {
            @Override
            public BiFunction<Lease, String, Journal> hands() {
                return (lease, resource) -> new Forgetful(journals.hands().apply(lease, resource));
            }

            @Override
            public String name() {
                return journals.name();
            }

            @Override
            public Optional<EffectState> state(EffectKey key) {
                return journals.state(key);
            }
        };
    }
}
