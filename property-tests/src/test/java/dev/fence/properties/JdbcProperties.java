package dev.fence.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.jdbc.JdbcFenceSettings;
import java.time.Duration;
import java.util.EnumSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;

/** The real fence on a real PostgreSQL keeps the promises of the model, in the timelines in which the model does. */
class JdbcProperties {

    /** Java's names without their common beginning. */
    enum Isolation {
        READ_COMMITTED,
        REPEATABLE_READ,
        SERIALIZABLE
    }

    // Virtual time can leave a lease with less than a transaction takes in real time.
    private static final JdbcFenceSettings SETTINGS =
            JdbcFenceSettings.DEFAULTS.withLongestTransaction(Duration.ofSeconds(10));
    /** Of timelines that take real time. */
    private static final int MOST_SHRINKS = 1000;

    @Property(generation = GenerationMode.EXHAUSTIVE)
    void everyInvariantHolds(@ForAll Isolation isolation) {
        try (RealDatabase database = new RealDatabase("TRANSACTION_" + isolation, SETTINGS)) {
            Search search = Search.forAll(Timelines.WITHOUT_OPEN_BODIES, database::newSubject, Search.tries("real", 60))
                    .withMostShrinks(MOST_SHRINKS);

            assertThat(search.run(Search.seed())).isEmpty();
        }
    }

    /** Fewer: here whoever seals really waits for the body that stands in the way. */
    @Property(generation = GenerationMode.EXHAUSTIVE)
    void everyInvariantHoldsWhileWritersStandInsideTheirBodies(@ForAll Isolation isolation) {
        JdbcFenceSettings settings = SETTINGS.withSealWait(Duration.ofMillis(200));
        try (RealDatabase database = new RealDatabase("TRANSACTION_" + isolation, settings)) {
            Search search = Search.forAll(EnumSet.allOf(Kind.class), database::newSubject, Search.tries("open", 20))
                    .withMostShrinks(MOST_SHRINKS);

            assertThat(search.run(Search.seed())).isEmpty();
        }
    }
}
