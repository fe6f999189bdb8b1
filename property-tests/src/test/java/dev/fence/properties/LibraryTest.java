package dev.fence.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.properties.Script.Expectation;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The named timelines go as they say, in the model. {@link RealReplayIT} plays them for real. */
class LibraryTest {

    static List<String> names() {
        return Library.names();
    }

    @Test
    void theStoriesThatEveryoneAsksForAreThere() {
        assertThat(Library.names())
                .contains(
                        "gc-pause-25s",
                        "pause-between-check-and-commit",
                        "paused-sealer",
                        "failover-double-grant",
                        "restore-runs-backwards",
                        "lost-reply",
                        "aba");
    }

    @ParameterizedTest
    @MethodSource("names")
    void eachTimelineGoesAsItsFileSays(String name) {
        Script script = Library.script(name);

        assertThat(script.expectations()).extracting(Expectation::subject).contains(Script.FENCED, "unfenced");
        assertThat(ModelReplay.play(script))
                .allSatisfy(judgement ->
                        assertThat(judgement.surprises()).as("%s", judgement).isEmpty());
    }

    @ParameterizedTest
    @MethodSource("names")
    void aWrongEndAndAWrongExpectationAreNoticed(String name) {
        Script script = Library.script(name);
        List<Expectation> contrary = script.expectations().stream()
                .map(e -> new Expectation(e.subject(), e.violated() == null ? Invariant.THE_GUARD_NEVER_FALLS : null))
                .toList();
        Script wrong = new Script(script.title(), script.processes(), script.bare(), contrary, script.lines());
        Script otherEnds = ScriptParser.parse(script.toString().replaceAll("-> .*", "-> FOREIGN_SOURCE"));

        assertThat(ModelReplay.play(wrong)).noneMatch(Judgement::isAsExpected);
        assertThat(ModelReplay.play(otherEnds).get(0).isAsExpected()).isFalse();
    }
}
