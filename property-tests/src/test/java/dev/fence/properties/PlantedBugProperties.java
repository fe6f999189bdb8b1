package dev.fence.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.properties.Search.Violation;
import java.util.EnumSet;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;

/** The invariants can fail: a protocol that lacks any one of its rules is found out, by a story short enough to follow. */
class PlantedBugProperties {

    private static final int MOST_TIMELINES = 1000;
    private static final int LONGEST_STORY = 8;

    @Property(generation = GenerationMode.EXHAUSTIVE)
    void everyDroppedRuleIsFound(@ForAll Rule rule) {
        Search search = Search.forAll(EnumSet.allOf(Kind.class), () -> ModelFence.without(rule), MOST_TIMELINES);

        Optional<Violation> found = search.run(Search.seed());

        assertThat(found).as("a violation without the rule %s", rule).isPresent();
        assertThat(found.get().history().steps().size()).as("%s", found.get()).isLessThanOrEqualTo(LONGEST_STORY);
    }
}
