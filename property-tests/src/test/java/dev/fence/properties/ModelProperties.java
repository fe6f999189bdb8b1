package dev.fence.properties;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
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

    /** What never comes up is not tried. */
    @Example
    void everyKindOfEventAndEveryEndComesUp() {
        LongFunction<Timeline> drawn = Search.drawn(ALL);
        List<History.Step> steps = LongStream.range(0, 1_000)
                .mapToObj(seed -> World.play(drawn.apply(seed), ModelFence.withAllRules()))
                .flatMap(history -> history.steps().stream())
                .toList();

        assertThat(steps).extracting(step -> step.action().toString()).containsAll(everyWay());
        assertThat(endsOf(steps, EnumSet.complementOf(EnumSet.of(Kind.ARRIVE))))
                .isEqualTo(EnumSet.complementOf(EnumSet.of(Verdict.BROKEN)));
        assertThat(endsOf(steps, EnumSet.of(Kind.ARRIVE))).contains(Verdict.DONE, Verdict.STALE, Verdict.HISTORY_LOST);
    }

    private static List<String> everyWay() {
        return ALL.stream()
                .flatMap(kind -> kind.arguments().isEmpty()
                        ? Stream.of(kind.word())
                        : kind.arguments().stream().map(way -> kind.word() + " " + way))
                .toList();
    }

    private static Set<Verdict> endsOf(List<History.Step> steps, Set<Kind> kinds) {
        return steps.stream()
                .filter(step -> kinds.contains(step.action().kind()))
                .map(History.Step::attempt)
                .filter(Objects::nonNull)
                .map(Attempt::verdict)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Verdict.class)));
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
