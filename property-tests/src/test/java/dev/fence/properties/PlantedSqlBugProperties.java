package dev.fence.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.properties.Search.Violation;
import java.io.IOException;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;

/** Also against the real database the invariants can fail: a guard whose functions lack a rule is found out. */
class PlantedSqlBugProperties {

    private static final int MOST_TIMELINES = 300;

    @Property(generation = GenerationMode.EXHAUSTIVE)
    void aRuleMissingInTheDatabaseIsFound(@ForAll PlantedBug bug) throws IOException {
        try (RealDatabase database = RealDatabase.with(bug)) {
            Search search = Search.forAll(EnumSet.allOf(Kind.class), database::newSubject, MOST_TIMELINES)
                    .only(bug.violates)
                    .withMostShrinks(0);

            Optional<Violation> found = search.run(Search.fixedSeed());

            assertThat(found).as("a violation with %s", bug).isPresent();
            assertThat(ModelReplay.play(
                            ScriptParser.parse(Files.readString(found.get().file()))))
                    .as("the file that was written of it, replayed before the same bug")
                    .singleElement()
                    .matches(Judgement::isAsExpected);
        }
    }
}
