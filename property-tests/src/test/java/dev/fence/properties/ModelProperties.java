package dev.fence.properties;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The protocol keeps its promises, whatever pauses, and a timeline alone decides what happens in it. */
class ModelProperties {

    private static final Set<Kind> ALL = EnumSet.allOf(Kind.class);

    @Example
    void everyInvariantHoldsInTheModel() {
        Search search = Search.forAll(ALL, ModelFence::withAllRules, Search.tries("model", 10_000));

        assertThat(search.run(Search.seed())).isEmpty();
    }

    @Property(tries = 200)
    void oneTimelineHasOneHistory(@ForAll("timelines") Timeline timeline) {
        String once = World.play(timeline, ModelFence.withAllRules()).toString();

        assertThat(World.play(timeline, ModelFence.withAllRules())).hasToString(once);
    }

    @Provide
    Arbitrary<Timeline> timelines() {
        return Timelines.of(ALL);
    }
}
