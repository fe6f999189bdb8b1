package dev.fence.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.properties.Search.Violation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import net.jqwik.api.Example;

/**
 * What people do without a guard loses updates, with a lease service that makes no mistake and a holder that is only paused.
 * Of these twins nothing is asked but that: their seal does nothing and they remember no guard.
 */
class TwinProperties {

    private static final int MOST_TIMELINES = 20_000;
    private static final int TIMELINES_OF_THE_GUARD = 2_000;
    private static final int LONGEST_STORY = 12;

    @Example
    void aLeaseThatIsOnlyAskedLosesAnUpdate() {
        assertLosesAnUpdate(TwinFence.Design.UNFENCED);
    }

    @Example
    void theHighestTokenKeptButNotSealedLosesAnUpdate() {
        assertLosesAnUpdate(TwinFence.Design.HIGHEST_TOKEN);
    }

    @Example
    void aTagThatIsAHashOfTheBytesLosesAnUpdate() {
        assertLosesAnUpdate(TwinFence.Design.IF_MATCH);
    }

    @Example
    void theGuardLosesNoneInTheSameTimelines() {
        assertThat(lostUpdates(ModelFence::withAllRules, TIMELINES_OF_THE_GUARD).run(Search.seed()))
                .isEmpty();
    }

    @Example
    void theStoryOfTheDocumentationIsWhatTheTwinTells() throws IOException {
        Violation told = lostUpdates(() -> new TwinFence(TwinFence.Design.UNFENCED), MOST_TIMELINES)
                .run(Search.FIXED_SEED)
                .orElseThrow();

        assertThat(Files.readString(Path.of("..", "docs", "properties.md")))
                .as("docs/properties.md has to show\n%s", told)
                .contains("```\n" + told + "```\n");
    }

    private static void assertLosesAnUpdate(TwinFence.Design design) {
        Optional<Violation> found =
                lostUpdates(() -> new TwinFence(design), MOST_TIMELINES).run(Search.fixedSeed());

        assertThat(found).isPresent();
        System.out.println(found.get());
        assertThat(found.get().history().steps().size()).as("%s", found.get()).isLessThanOrEqualTo(LONGEST_STORY);
    }

    private static Search lostUpdates(Supplier<Subject> subjects, int tries) {
        return Search.forAll(Timelines.PAUSES_ONLY, subjects, tries).only(Invariant.EACH_UPDATE_REPLACES_WHAT_WAS_READ);
    }
}
