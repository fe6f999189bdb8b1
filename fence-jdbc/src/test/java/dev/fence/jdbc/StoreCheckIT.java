package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.BusyException;
import dev.fence.FencedWriter;
import dev.fence.Lease;
import dev.fence.UnsupportedStoreException;
import dev.fence.fixtures.PgBouncer;
import dev.fence.migrations.FenceMigrations;
import dev.fence.migrations.MigrationSettings;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.jdbc.PgConnection;

/** What cannot keep a guard is found at the start, and the message says what to fix. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class StoreCheckIT {

    private static Ledger ledger;

    @BeforeAll
    static void migrate() throws SQLException {
        ledger = Ledger.create();
    }

    @Test
    void aDatabaseWithoutTheMigrationSaysHowToMigrate() {
        assertRefused(ledger.server.dataSource(ledger.server.createDatabase()), "FenceMigrations.migrate");
    }

    @Test
    void aUserWithoutTheRoleIsToldWhichToGrant() throws SQLException {
        String user = "nobody_" + ledger.database;
        ledger.run("CREATE ROLE " + user + " LOGIN PASSWORD 'secret'");
        assertRefused(ledger.server.dataSource(ledger.database, user, "secret"), "fence_application");
    }

    /** A database that an older version of the library has migrated. */
    @Test
    void anOutdatedMigrationSaysHowToMigrate() throws SQLException {
        Ledger outdated = Ledger.create();
        outdated.run("DROP FUNCTION fence.verify_v1(text, bigint, bigint, xid8, bigint, integer)");
        assertRefused(outdated.dataSource, "FenceMigrations.migrate");
    }

    @Test
    void aTokenThatIsTooNarrowIsRefused() throws SQLException {
        Ledger narrow = Ledger.create();
        narrow.run("ALTER TABLE fence.guard ALTER token TYPE integer");
        assertRefused(narrow.dataSource, "token is integer");
    }

    /** A look-alike of PostgreSQL: it takes locks and shows none. */
    @Test
    void locksThatCannotBeSeenAreRefused() throws SQLException {
        ledger.run("CREATE SCHEMA lookalike;"
                + " CREATE VIEW lookalike.pg_locks AS SELECT * FROM pg_catalog.pg_locks WHERE false");
        PGSimpleDataSource dataSource = fresh();
        dataSource.setOptions("-c search_path=lookalike,pg_catalog");
        assertRefused(dataSource, "does not see its own advisory lock");
    }

    @Test
    void whatWeakensItIsToldAndNothingElse() throws SQLException {
        String user = "app_" + ledger.database;
        ledger.run("CREATE ROLE " + user + " LOGIN PASSWORD 'secret'; GRANT fence_application TO " + user);
        PGSimpleDataSource application = ledger.server.dataSource(ledger.database, user, "secret");
        assertThat(weaknesses(application)).singleElement().asString().contains("failover");
        assertThat(weaknesses(ledger.dataSource)).anySatisfy(w -> assertThat(w).contains("past the functions"));
        application.setOptions("-c synchronous_commit=off");
        assertThat(weaknesses(application)).anySatisfy(w -> assertThat(w).contains("synchronous_commit is off"));
        try (PgBouncer pooler = PgBouncer.before(ledger.server)) {
            PGSimpleDataSource pooled = pooler.dataSource(ledger.database);
            assertThat(weaknesses(pooled)).anySatisfy(w -> assertThat(w).contains("prepareThreshold=0"));
            pooled.setPrepareThreshold(0);
            assertThat(weaknesses(pooled)).noneSatisfy(w -> assertThat(w).contains("prepareThreshold=0"));
        }
    }

    private static List<String> weaknesses(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return StoreWeaknesses.of(connection, connection.unwrap(PgConnection.class), "fence");
        }
    }

    @Test
    void aDriverThatRollsBackRefusedChecksIsRefused() {
        PGSimpleDataSource dataSource = fresh();
        dataSource.setAutosave(org.postgresql.jdbc.AutoSave.ALWAYS);
        assertRefused(dataSource, "autosave=always");
    }

    @Test
    void quotesThatReadDifferentlyAreRefused() {
        PGSimpleDataSource dataSource = fresh();
        dataSource.setOptions("-c standard_conforming_strings=off");
        assertRefused(dataSource, "standard_conforming_strings");
    }

    /** C26: a routing data source that sends read-only work elsewhere. */
    @Test
    void aReadOnlyDataSourceIsRefusedAlsoLaterAndBeforeUserCodeRuns() {
        PGSimpleDataSource dataSource = fresh();
        dataSource.setOptions("-c default_transaction_read_only=on");
        assertRefused(dataSource, "read-only");

        String resource = Ledger.name();
        Lease lease = ledger.lease(resource);
        ledger.fence().create(lease, resource);
        boolean[] readOnly = {false};
        FencedWriter<Connection> writer = JdbcFence.on(new Switching(readOnly, dataSource, ledger.dataSource))
                .attach(lease.grant(), resource);
        readOnly[0] = true;
        assertThatThrownBy(() -> writer.write(c -> {
                    throw new AssertionError("ran");
                }))
                .isInstanceOf(UnsupportedStoreException.class)
                .hasMessageContaining("read-only");
    }

    @Test
    void anotherDriverIsRefused() {
        DataSource other = new Switching(new boolean[1], ledger.dataSource, ledger.dataSource) {
            private static final long serialVersionUID = 1;

            @Override
            public Connection getConnection() {
                return (Connection) Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {Connection.class},
                        (proxy, method, args) -> method.getName().equals("isWrapperFor") ? false : null);
            }
        };
        assertRefused(other, "org.postgresql");
    }

    @Test
    void aConnectionWithAnOpenTransactionIsRefused() throws SQLException {
        DataSource open = new Switching(new boolean[1], ledger.dataSource, ledger.dataSource) {
            private static final long serialVersionUID = 1;

            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = ledger.dataSource.getConnection();
                connection.setAutoCommit(false);
                Ledger.ask(connection, "SELECT 1");
                return connection;
            }
        };
        assertRefused(open, "open transaction");
    }

    @Test
    void anotherEncodingIsRefused() {
        String latin = ledger.server.createDatabase("ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
        assertRefused(ledger.server.dataSource(latin), "LATIN1");
    }

    @Test
    void anUnreachableServerIsBusyAndAWrongPasswordIsNot() {
        PGSimpleDataSource nowhere = new PGSimpleDataSource();
        nowhere.setUrl("jdbc:postgresql://127.0.0.1:1/none");
        assertThatThrownBy(() -> JdbcFence.on(nowhere)).isInstanceOf(BusyException.class);
        assertRefused(ledger.server.dataSource(ledger.database, ledger.server.user(), "wrong"), "SQLSTATE 28P01");
    }

    @Test
    void theSchemaIsConfigurable() {
        FenceMigrations.migrate(ledger.dataSource, MigrationSettings.DEFAULTS.withSchema("guards"));
        JdbcFence fence = JdbcFence.on(ledger.dataSource, ledger.settings.withSchema("guards"));
        String resource = Ledger.name();
        Lease lease = ledger.lease(resource);
        assertThat(fence.create(lease, resource)).isTrue();
        fence.seal(lease, resource).write(c -> {});
    }

    @Test
    void impossibleSettingsAreRefusedWithTheirRange() {
        JdbcFenceSettings defaults = JdbcFenceSettings.DEFAULTS;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> defaults.withSchema("x; DROP SCHEMA y"))
                .withMessageContaining("schema");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> defaults.withSealWait(Duration.ZERO))
                .withMessageContaining("sealWait PT0S is out of range: PT0.001S to PT10M");
        assertThatIllegalArgumentException().isThrownBy(() -> defaults.withCheckWait(Duration.ofHours(1)));
        assertThatIllegalArgumentException().isThrownBy(() -> defaults.withCommitWait(Duration.ofMillis(99)));
        assertThatIllegalArgumentException().isThrownBy(() -> defaults.withLongestTransaction(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> defaults.withLabel("a\nb"));
    }

    private static void assertRefused(DataSource dataSource, String because) {
        assertThatThrownBy(() -> JdbcFence.on(dataSource))
                .isInstanceOf(UnsupportedStoreException.class)
                .hasMessageContaining(because);
    }

    private static PGSimpleDataSource fresh() {
        return ledger.server.dataSource(ledger.database);
    }

    /** Gives connections of one data source or the other. */
    private static class Switching extends PGSimpleDataSource {

        private static final long serialVersionUID = 1;

        private final boolean[] toFirst;
        private final transient DataSource first;
        private final transient DataSource second;

        Switching(boolean[] toFirst, DataSource first, DataSource second) {
            this.toFirst = toFirst;
            this.first = first;
            this.second = second;
        }

        @Override
        public Connection getConnection() throws SQLException {
            return (toFirst[0] ? first : second).getConnection();
        }
    }
}
