package dev.fence.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.properties.Search.Violation;
import java.io.IOException;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;

/** The invariants can fail: a protocol that lacks any one of its rules is found out, by a story short enough to follow. */
class PlantedBugProperties {

    private static final int MOST_TIMELINES = 1000;
    private static final int LONGEST_STORY = 8;

    /** The rule whose absence each invariant has to notice. */
    private static Rule ruleOf(Invariant invariant) {
        return switch (invariant) {
            case THE_GUARD_NEVER_FALLS -> Rule.A_SEAL_REFUSES_A_LOWER_TOKEN;
            case NOTHING_BUT_A_SEAL_RAISES_THE_GUARD -> Rule.A_GRANT_NEVER_SEALS;
            case NO_OLDER_WRITE_AFTER_A_SEAL, EACH_UPDATE_REPLACES_WHAT_WAS_READ -> Rule.A_WRITE_COMPARES_THE_TOKEN;
            case EVERY_END_IS_THE_EXPECTED_ONE -> Rule.THE_SOURCE_IS_COMPARED;
            case NOTHING_IS_DONE_UNDER_A_GRANT_THE_GUARD_DOES_NOT_CARRY -> Rule.THE_HOLDER_IS_COMPARED;
            case NO_ACKNOWLEDGED_WRITE_IS_LOST -> Rule.WHAT_IS_ACKNOWLEDGED_IS_IN_EFFECT;
            case WHAT_IS_NOT_DONE_CHANGES_NOTHING -> Rule.A_FAILED_BODY_CHANGES_NOTHING;
        };
    }

    @Property(generation = GenerationMode.EXHAUSTIVE)
    void everyInvariantFallsWithItsRule(@ForAll Invariant invariant) throws IOException {
        // Among all kinds of events two updates of one value are rare, and a guard that falls is noticed before them.
        Set<Kind> kinds = invariant == Invariant.EACH_UPDATE_REPLACES_WHAT_WAS_READ
                ? Timelines.READ_MODIFY_WRITE
                : EnumSet.allOf(Kind.class);
        Search search = Search.forAll(kinds, () -> ModelFence.without(ruleOf(invariant)), MOST_TIMELINES)
                .only(invariant);

        Optional<Violation> found = search.run(Search.fixedSeed());

        assertThat(found).as("a violation of %s", invariant).isPresent();
        assertThat(found.get().history().steps().size()).as("%s", found.get()).isLessThanOrEqualTo(LONGEST_STORY);
        assertThat(ModelReplay.play(
                        ScriptParser.parse(Files.readString(found.get().file()))))
                .as("the file that was written of it, replayed")
                .singleElement()
                .matches(Judgement::isAsExpected);
    }

    @Property(generation = GenerationMode.EXHAUSTIVE)
    void everyDroppedRuleIsFound(@ForAll Rule rule) {
        Search search = Search.forAll(EnumSet.allOf(Kind.class), () -> ModelFence.without(rule), MOST_TIMELINES);

        Optional<Violation> found = search.run(Search.fixedSeed());

        assertThat(found).as("a violation without the rule %s", rule).isPresent();
        assertThat(found.get().history().steps().size()).as("%s", found.get()).isLessThanOrEqualTo(LONGEST_STORY);
    }
}
