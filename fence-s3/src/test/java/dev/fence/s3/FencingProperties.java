package dev.fence.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.WriteOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * Holders under replayed pauses and faults ({@link Timeline}, {@link SimulatedS3}). The system property
 * {@code fence.s3.timelines} says how many timelines each try runs, 5 by default.
 */
class FencingProperties {

    private static final int TIMELINES = Integer.getInteger("fence.s3.timelines", 5);

    @Property(tries = 300, shrinking = ShrinkingMode.OFF)
    void tokensNeverFallAndEachCallerIsToldTheTruth(@ForAll long seed) {
        Random seeds = new Random(seed);
        for (int i = 0; i < TIMELINES; i++) {
            long timelineSeed = seeds.nextLong();
            Timeline timeline = new Timeline(timelineSeed);
            SimulatedS3 store = new SimulatedS3(timeline);
            FencedDesign design = new FencedDesign(store);
            History history = new History(timeline, store, design);

            assertThat(history.run()).as("timeline %d", timelineSeed).isEmpty();
            assertVerified(history, store, design, timelineSeed);
        }
    }

    /** The same property catches the design without a stamp in the bytes, or it would prove nothing. */
    @Property(tries = 20, shrinking = ShrinkingMode.OFF)
    void thePlainDesignIsCaught(@ForAll long seed) {
        Random seeds = new Random(seed);
        List<String> violations = new ArrayList<>();
        for (int i = 0; i < 500 && violations.stream().noneMatch(v -> v.contains("was stored after")); i++) {
            Timeline timeline = new Timeline(seeds.nextLong());
            SimulatedS3 store = new SimulatedS3(timeline);
            violations.addAll(new History(timeline, store, new PlainDesign(store)).run());
        }

        assertThat(violations).as("seed %d", seed).anyMatch(v -> v.contains("was stored after"));
    }

    private static void assertVerified(History history, SimulatedS3 store, FencedDesign design, long seed) {
        for (History.Write write : history.writes()) {
            long landed = store.versions().stream()
                    .filter(version -> design.mark(version).id().equals(write.id()))
                    .count();
            WriteOutcome verified = design.verify(new WriteIds(write.id(), false, 1));
            boolean appliedByWord =
                    verified == WriteOutcome.APPLIED || verified == WriteOutcome.APPLIED_THEN_SUPERSEDED;
            if (verified != WriteOutcome.UNKNOWN) {
                assertThat(appliedByWord)
                        .as("write %s verified as %s, timeline %d", write, verified, seed)
                        .isEqualTo(landed == 1);
            }
        }
    }
}
