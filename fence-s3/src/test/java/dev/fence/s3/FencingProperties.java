package dev.fence.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * Holders under replayed pauses and faults ({@link Timeline}, {@link SimulatedS3}). {@code script/stress s3} runs a million of them.
 */
class FencingProperties {

    private static final int TIMELINES_PER_TRY = 5;

    @Property(tries = 300, shrinking = ShrinkingMode.OFF)
    void tokensNeverFallAndEachCallerIsToldTheTruth(@ForAll long seed) {
        Random seeds = new Random(seed);
        for (int i = 0; i < TIMELINES_PER_TRY; i++) {
            long timelineSeed = seeds.nextLong();
            assertThat(FencedTimeline.run(timelineSeed).violations())
                    .as("timeline %d", timelineSeed)
                    .isEmpty();
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
}
