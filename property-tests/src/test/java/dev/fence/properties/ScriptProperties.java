package dev.fence.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.properties.Script.Expectation;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What is written is what is read, and what happens again. */
class ScriptProperties {

    private static final Expectation HOLDS = new Expectation(Script.FENCED, null);

    @Property(tries = 500)
    void whatIsWrittenIsWhatIsRead(@ForAll("timelines") Timeline timeline) {
        History history = World.play(timeline, ModelFence.withAllRules());
        Script written = Script.of(history, "drawn", HOLDS);
        if (!written.lines().isEmpty()) {
            assertThat(ScriptParser.parse(written.toString())).isEqualTo(written);
        }
    }

    @Property(tries = 500)
    void aTimelineThatWasWrittenHappensAgain(@ForAll("timelines") Timeline timeline) {
        History history = World.play(timeline, ModelFence.withAllRules());

        History again = World.play(Script.of(history, "drawn", HOLDS), ModelFence.withAllRules());

        assertThat(stories(again)).isEqualTo(stories(history));
    }

    @Property(tries = 200)
    void whatWasPlayedCanBeDrawn(@ForAll("timelines") Timeline timeline) {
        Script written = Script.of(World.play(timeline, ModelFence.withAllRules()), "drawn", HOLDS);
        History history = World.play(written, ModelFence.withAllRules());
        Judgement judgement = new Judgement("in memory", HOLDS, history, Optional.empty(), List.of());

        assertThat(Drawing.of(written, judgement).svg().split("<g tabindex", -1))
                .hasSizeGreaterThan(history.steps().size());
    }

    private static List<String> stories(History history) {
        return history.steps().stream()
                .filter(step -> step.action().kind().by() != Kind.By.TIME)
                .map(step -> step.action().at() + " " + step.text())
                .toList();
    }

    @Provide
    Arbitrary<Timeline> timelines() {
        return Timelines.of(EnumSet.allOf(Kind.class));
    }
}
