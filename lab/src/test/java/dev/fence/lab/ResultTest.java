package dev.fence.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the lab claims: who loses something, who does not, and that every planted bug of ours would have been seen. */
class ResultTest {

    private static final long SEED = 1;
    private static final int FOR_OURS = 10_000;
    private static final int MOST_FOR_A_BUG = 1_000;
    private static final int LONGEST_STORY = 8;

    @ParameterizedTest
    @EnumSource
    void oursLosesNothingWhateverTheLock(LockKind lock) {
        assertThat(result(lock, ResourceKind.FENCED_ROW, FOR_OURS).shortest()).isNull();
        assertThat(result(lock, ResourceKind.FENCED_OBJECT, FOR_OURS).shortest())
                .isNull();
    }

    /** Else "no violation" would be said of timelines in which nothing comes about. */
    @ParameterizedTest
    @EnumSource(names = {"FENCED_ROW", "FENCED_OBJECT"})
    void theTimelinesOfOursAreFullOfTakeoversAndLateArrivals(ResourceKind resource) {
        Combination combination = new Combination(LockKind.CONSENSUS, resource, Fault.ALL);
        int takeovers = 0;
        int refused = 0;
        int lateRefused = 0;
        int lateAccepted = 0;
        for (int i = 0; i < MOST_FOR_A_BUG; i++) {
            String history = Timeline.draw(combination, Rng.of(SEED, i)).history();
            takeovers += writesOfSeveralHolders(history) ? 1 : 0;
            refused += history.contains("is refused: write #") ? 1 : 0;
            lateRefused += history.contains("arrives late and is refused") ? 1 : 0;
            lateAccepted += history.contains("arrives late and takes effect") ? 1 : 0;
        }

        assertThat(takeovers).isGreaterThan(100);
        assertThat(refused).isGreaterThan(50);
        assertThat(lateRefused).isGreaterThan(10);
        assertThat(lateAccepted).isGreaterThan(50);
    }

    @ParameterizedTest
    @EnumSource
    void anUnfencedResourceLosesAnUpdateWhenItsHolderIsPaused(LockKind lock) {
        Timeline shortest = shortest(new Combination(lock, ResourceKind.UNFENCED, Fault.PAUSE));

        assertThat(shortest.violation()).isEqualTo(Violation.LOST_UPDATE);
        assertThat(shortest.events()).hasSizeLessThanOrEqualTo(LONGEST_STORY);
    }

    @ParameterizedTest
    @EnumSource(names = {"SINGLE_REDIS", "REDLOCK"})
    void locksThatForgetLoseWithoutAnyPause(LockKind lock) {
        for (Fault fault : List.of(Fault.CLOCK, Fault.CRASH, Fault.FAILOVER)) {
            assertReplays(shortest(new Combination(lock, ResourceKind.LOCK_ALONE, fault)));
            assertReplays(shortest(new Combination(lock, ResourceKind.UNFENCED, fault)));
        }
    }

    /** By messages alone, or by a clock of its own, it is not brought to two holders. */
    @ParameterizedTest
    @EnumSource(names = {"PAUSE", "DELAY", "LOSS", "DUPLICATE", "CLOCK", "CRASH"})
    void consensusAloneAdmitsTwoHoldersOnlyWhenItRevokesOrForgetsOrAClockOfAProcessIsWrong(Fault fault) {
        assertThat(Result.of(new Combination(LockKind.CONSENSUS, ResourceKind.LOCK_ALONE, fault), MOST_FOR_A_BUG, SEED)
                        .shortest())
                .isNull();
    }

    /** Nobody can know better then, but a store that loses nothing. */
    @ParameterizedTest
    @EnumSource
    void whenBothMemoriesAreLostARowLosesAndAnObjectDoesNot(LockKind lock) {
        assertReplays(shortest(new Combination(lock, ResourceKind.FENCED_ROW, Fault.BOTH_LOST)));
        assertThat(Result.of(new Combination(lock, ResourceKind.FENCED_OBJECT, Fault.BOTH_LOST), MOST_FOR_A_BUG, SEED)
                        .shortest())
                .isNull();
    }

    @ParameterizedTest
    @EnumSource(names = {"UNFENCED", "CHECK_THEN_WRITE", "HIGHEST_TOKEN", "IF_MATCH", "EFFECT"})
    void everyCounterexampleReplaysAndNeedsEachOfItsEvents(ResourceKind resource) {
        Timeline shortest = shortest(new Combination(LockKind.CONSENSUS, resource, Fault.PAUSE));

        assertReplays(shortest);
        for (int i = 0; i < shortest.events().size(); i++) {
            List<Event> rest = new ArrayList<>(shortest.events());
            rest.remove(i);
            assertThat(Timeline.replay(shortest.combination(), rest).isViolated())
                    .as("without event %d of%n%s", i + 1, shortest.history())
                    .isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsLostWhenNothingGoesWrong(LockKind lock) {
        for (ResourceKind resource : ResourceKind.values()) {
            Combination combination = new Combination(lock, resource, Fault.NONE);
            assertThat(Result.of(combination, 500, SEED).isSafe())
                    .as("%s", combination)
                    .isTrue();
        }
    }

    @Test
    void aKeyOfTheBusinessIsExecutedOnceWhateverTheLockDoes() {
        assertThat(result(LockKind.SINGLE_REDIS, ResourceKind.EFFECT_WITH_KEY, MOST_FOR_A_BUG)
                        .isSafe())
                .isTrue();
        assertThat(result(LockKind.CONSENSUS, ResourceKind.EFFECT, MOST_FOR_A_BUG)
                        .isSafe())
                .isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void everyPlantedBugIsFoundAndToldInAFewEvents(Rule rule) {
        Combination combination = new Combination(LockKind.CONSENSUS, resourceThatShows(rule), faultThatShows(rule));

        Result planted = Result.of(combination.without(rule), MOST_FOR_A_BUG, SEED);

        assertThat(planted.isSafe()).as("%s without %s", combination, rule).isFalse();
        assertThat(planted.shortestLength()).isBetween(1, LONGEST_STORY);
        assertThat(Result.of(combination, MOST_FOR_A_BUG, SEED).isSafe())
                .as("%s, nothing left out", combination)
                .isTrue();
    }

    private static ResourceKind resourceThatShows(Rule rule) {
        return switch (rule) {
            case EVERY_SEAL_CHANGES_THE_TAG, EVERY_WRITE_CHANGES_THE_TAG -> ResourceKind.FENCED_OBJECT;
            case A_DEADLINE_COUNTS_FROM_BEFORE_THE_SEND,
                    A_RELEASE_IS_BY_HOLDER,
                    AN_ENQUEUE_IS_IDEMPOTENT,
                    GIVING_UP_LEAVES_A_TOMBSTONE,
                    A_GRANT_IS_READ -> ResourceKind.LOCK_ALONE;
            default -> ResourceKind.FENCED_ROW;
        };
    }

    /** A lock alone is no match for all faults; so its rules are shown where it must be right. */
    private static Fault faultThatShows(Rule rule) {
        return switch (rule) {
            case A_DEADLINE_COUNTS_FROM_BEFORE_THE_SEND, A_RELEASE_IS_BY_HOLDER, GIVING_UP_LEAVES_A_TOMBSTONE ->
                Fault.DELAY;
            case AN_ENQUEUE_IS_IDEMPOTENT -> Fault.LOSS;
            case A_GRANT_IS_READ -> Fault.NONE;
            default -> Fault.ALL;
        };
    }

    private static boolean writesOfSeveralHolders(String history) {
        return history.lines()
                        .filter(line -> line.contains("the write #") && line.contains("takes effect"))
                        .map(line -> line.replaceAll(".*token (\\d+).*", "$1"))
                        .distinct()
                        .count()
                > 1;
    }

    private static void assertReplays(Timeline timeline) {
        assertThat(timeline.isViolated()).isTrue();
        assertThat(Timeline.replay(timeline.combination(), timeline.events())).isEqualTo(timeline);
    }

    private static Result result(LockKind lock, ResourceKind resource, int timelines) {
        return Result.of(new Combination(lock, resource, Fault.ALL), timelines, SEED);
    }

    private static Timeline shortest(Combination combination) {
        Timeline shortest = Result.of(combination, MOST_FOR_A_BUG, SEED).shortest();
        assertThat(shortest).as("%s", combination).isNotNull();
        return Objects.requireNonNull(shortest);
    }
}
