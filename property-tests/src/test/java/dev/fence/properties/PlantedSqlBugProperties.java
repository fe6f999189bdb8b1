package dev.fence.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.jdbc.JdbcFenceSettings;
import java.time.Duration;
import java.util.EnumSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;

/** Also against the real database the invariants can fail: a guard whose functions lack a rule is found out. */
class PlantedSqlBugProperties {

    private static final int MOST_TIMELINES = 300;

    /** Bugs in the guard's functions, and what they must lead to. */
    enum PlantedBug {
        NO_CHECK("check_v1", "BEGIN\n", "BEGIN\n  RETURN;\n", Invariant.NO_OLDER_WRITE_AFTER_A_SEAL),
        NO_LOCK("check_v1", "IF NOT pg_try", "IF false AND NOT pg_try", Invariant.NO_OLDER_WRITE_AFTER_A_SEAL),
        NO_HOLDER_IN_THE_CHECK(
                "check_v1",
                "g.holder = p_holder",
                "true",
                Invariant.NOTHING_IS_DONE_UNDER_A_GRANT_THE_GUARD_DOES_NOT_CARRY),
        A_CHECK_THAT_SEALS(
                "refuse_check",
                "PERFORM fence.refuse('ZF007'",
                "UPDATE fence.guard SET token = p_token WHERE resource = p_resource; RETURN; PERFORM fence.refuse('ZF007'",
                Invariant.NOTHING_BUT_A_SEAL_RAISES_THE_GUARD);

        private final String function;
        private final String piece;
        private final String instead;
        private final Invariant violates;

        PlantedBug(String function, String piece, String instead, Invariant violates) {
            this.function = function;
            this.piece = piece;
            this.instead = instead;
            this.violates = violates;
        }

        private void plantIn(RealDatabase database) {
            database.plant(function, piece, instead);
        }
    }

    @Property(generation = GenerationMode.EXHAUSTIVE)
    void aRuleMissingInTheDatabaseIsFound(@ForAll PlantedBug bug) {
        JdbcFenceSettings settings = JdbcFenceSettings.DEFAULTS.withSealWait(Duration.ofMillis(200));
        try (RealDatabase database = new RealDatabase("TRANSACTION_READ_COMMITTED", settings)) {
            bug.plantIn(database);
            Search search = Search.forAll(EnumSet.allOf(Kind.class), database::newSubject, MOST_TIMELINES)
                    .only(bug.violates)
                    .withMostShrinks(0);

            assertThat(search.run(Search.fixedSeed()))
                    .as("a violation with %s", bug)
                    .isPresent();
        }
    }
}
