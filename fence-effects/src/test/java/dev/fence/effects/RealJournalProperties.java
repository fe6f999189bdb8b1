package dev.fence.effects;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.fence.Lease;
import dev.fence.fixtures.PostgresServer;
import dev.fence.jdbc.JdbcFence;
import dev.fence.migrations.FenceMigrations;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;

/** The timelines of {@link EffectTimelinesProperties} over the real journal. */
class RealJournalProperties {

    private static @Nullable HikariDataSource dataSource;

    @BeforeContainer
    static void migrate() {
        PostgresServer server = PostgresServer.shared();
        HikariConfig config = new HikariConfig();
        config.setDataSource(server.dataSource(server.createDatabase()));
        config.setMaximumPoolSize(4);
        dataSource = new HikariDataSource(config);
        FenceMigrations.migrate(dataSource);
    }

    @AfterContainer
    static void close() {
        database().close();
    }

    private static HikariDataSource database() {
        return Objects.requireNonNull(dataSource);
    }

    @Provide
    Arbitrary<List<Integer>> chance() {
        return Arbitraries.integers().between(0, 839).list().ofMinSize(10).ofMaxSize(80);
    }

    @Property(tries = 40)
    void withKeysEachEffectHappensOnceAndIsKnownToHaveHappened(@ForAll("chance") List<Integer> chance) {
        EffectTimelines.requireOnce(chance, world -> new Real());
    }

    @Property(tries = 40)
    void withoutKeysNoEffectHappensTwiceAndNoneIsLost(@ForAll("chance") List<Integer> chance) {
        EffectTimelines.requireAtMostOnce(chance, world -> new Real());
    }

    /** A lease and a run of its own for each timeline: they share the database. */
    private static final class Real implements EffectTimelines.Journals {
        private final String name = UUID.randomUUID().toString();
        private final JdbcFence fence = JdbcFence.on(database());
        private final EffectDesk desk = EffectDesk.on(database());

        @Override
        public String name() {
            return name;
        }

        @Override
        public BiFunction<Lease, String, Journal> hands() {
            return (lease, resource) -> {
                fence.create(lease, resource);
                return new PostgresJournal(fence.seal(lease, resource), "fence");
            };
        }

        @Override
        public Optional<EffectState> state(EffectKey key) {
            try {
                return desk.show(key).map(EffectEntry::state);
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        }
    }
}
