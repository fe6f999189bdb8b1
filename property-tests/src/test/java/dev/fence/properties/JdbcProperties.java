package dev.fence.properties;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;

/** The real fence on a real PostgreSQL keeps the promises of the model, in the timelines in which the model does. */
class JdbcProperties {

    /** Of timelines that take real time. */
    private static final int MOST_SHRINKS = 1000;

    @Property(generation = GenerationMode.EXHAUSTIVE)
    void everyInvariantHolds(@ForAll Isolation isolation) {
        try (RealDatabase database = new RealDatabase(isolation)) {
            Search search = Search.forAll(Timelines.WITHOUT_OPEN_BODIES, database::newSubject, Search.tries("real", 60))
                    .withMostShrinks(MOST_SHRINKS);

            assertThat(search.run(Search.seed())).isEmpty();
        }
    }

    /** Fewer: here whoever seals really waits for the body that stands in the way. */
    @Property(generation = GenerationMode.EXHAUSTIVE)
    void everyInvariantHoldsWhileWritersStandInsideTheirBodies(@ForAll Isolation isolation) {
        try (RealDatabase database = new RealDatabase(isolation)) {
            Search search = Search.forAll(EnumSet.allOf(Kind.class), database::newSubject, Search.tries("open", 20))
                    .withMostShrinks(MOST_SHRINKS);

            assertThat(search.run(Search.seed())).isEmpty();
        }
    }

    /** The files of what is found here name the real fence, and are played against it. */
    @Property(generation = GenerationMode.EXHAUSTIVE)
    void aTimelineOfAFileIsPlayedAgainstTheRealFenceThatItNames(@ForAll Isolation isolation) {
        String file = Library.script("gc-pause-25s")
                .toString()
                .replaceFirst("expect: fenced", "expect: " + Subjects.name(isolation))
                .replaceFirst("expect: unfenced.*\n", "");

        assertThat(ModelReplay.play(ScriptParser.parse(file)))
                .singleElement()
                .returns("on PostgreSQL", Judgement::where)
                .returns(List.of(), Judgement::surprises);
        assertThat(ModelReplay.play(ScriptParser.parse(file.replaceFirst("-> STALE", "-> DONE"))))
                .singleElement()
                .returns(false, Judgement::isAsExpected);
    }
}
