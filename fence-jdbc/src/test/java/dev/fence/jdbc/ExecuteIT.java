package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.fence.BusyException;
import dev.fence.Lease;
import dev.fence.LeaseLostException;
import dev.fence.StaleTokenException;
import dev.fence.UnsupportedStoreException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.jdbc.PreferQueryMode;

/** One fenced statement is one message, one round trip, one transaction. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ExecuteIT {

    private static final String INSERT = "INSERT INTO entry (text) VALUES (?)";

    /** More than the driver's threshold, from which on a statement is prepared on the server and known in detail. */
    private static final int REPEATS = 8;

    private static Ledger ledger;
    private static CountingProxy proxy;
    private static PGSimpleDataSource through;
    private static HikariDataSource poolOfOne;
    private static JdbcFence fence;

    private final String resource = Ledger.name();
    private Lease lease;
    private JdbcWriter writer;

    @BeforeAll
    static void migrate() throws SQLException, IOException {
        ledger = Ledger.create();
        ledger.run("CREATE TABLE paid (invoice int, CONSTRAINT once UNIQUE (invoice) DEFERRABLE INITIALLY DEFERRED)");
        proxy = new CountingProxy(ledger.server.port());
        through = ledger.through(proxy.port());
        poolOfOne = new HikariDataSource();
        poolOfOne.setDataSource(through);
        poolOfOne.setMaximumPoolSize(1);
        fence = JdbcFence.on(poolOfOne, ledger.settings);
    }

    @AfterAll
    static void close() throws IOException {
        poolOfOne.close();
        proxy.close();
    }

    @BeforeEach
    void seal() {
        lease = ledger.lease(resource);
        fence.create(lease, resource);
        writer = fence.seal(lease, resource);
    }

    @Test
    void aStatementIsOneRoundTripAlsoOncePrepared() throws SQLException {
        for (int i = 0; i < REPEATS; i++) {
            int before = proxy.roundTrips();
            assertThat(writer.execute(INSERT, resource)).isEqualTo(1);
            assertThat(proxy.roundTrips() - before).isEqualTo(1);
        }
        assertThat(ledger.count(resource)).isEqualTo(REPEATS);
        assertThat(writer.execute("UPDATE entry SET text = text WHERE text = ?;", resource))
                .isEqualTo(REPEATS);
    }

    @Test
    void severalResourcesAreOneRoundTripToo() throws SQLException {
        String other = resource + "/2";
        fence.create(lease, other);
        JdbcWriter both = fence.seal(lease, Set.of(resource, other));
        for (int i = 0; i < REPEATS; i++) {
            int before = proxy.roundTrips();
            both.execute(INSERT, resource);
            assertThat(proxy.roundTrips() - before).isEqualTo(1);
        }
        fence.seal(ledger.lease(resource), other);
        assertThatThrownBy(() -> both.execute(INSERT, resource))
                .isInstanceOfSatisfying(
                        StaleTokenException.class, e -> assertThat(e.resource()).isEqualTo(other));
        assertThat(ledger.count(resource)).isEqualTo(REPEATS);
    }

    /** The sequence would tell: what it gives out does not come back with a rollback. */
    @ParameterizedTest
    @ValueSource(ints = {0, REPEATS})
    void aRefusedStatementDoesNotEvenRun(int before) throws SQLException {
        for (int i = 0; i < before; i++) {
            writer.execute(INSERT, resource);
        }
        String sequence = "SELECT last_value || '/' || is_called FROM entry_id_seq";
        String untouched = ledger.ask(sequence);
        Lease next = ledger.lease(resource);
        fence.seal(next, resource);
        assertThatThrownBy(() -> writer.execute(INSERT, resource))
                .isInstanceOfSatisfying(
                        StaleTokenException.class, e -> assertThat(e.newest()).isEqualTo(next.grant()));
        assertThat(ledger.ask(sequence)).isEqualTo(untouched);
        assertThat(ledger.count(resource)).isEqualTo(before);
        assertPoolIsClean();
    }

    /** The check's lock is held until the statement is committed: a seal cannot come between. */
    @Test
    void aSealWaitsForAStatementThatIsRunning() throws Exception {
        ledger.run("CREATE TABLE slow (text text)");
        ledger.run("CREATE FUNCTION wait_for_gate() RETURNS trigger LANGUAGE plpgsql AS"
                + " $$ BEGIN PERFORM pg_advisory_xact_lock(42); RETURN NEW; END $$");
        ledger.run("CREATE TRIGGER gate BEFORE INSERT ON slow FOR EACH ROW EXECUTE FUNCTION wait_for_gate()");
        JdbcFence impatient = JdbcFence.on(ledger.dataSource, ledger.settings.withSealWait(Duration.ofMillis(200)));
        Lease next = ledger.lease(resource);
        try (Connection gate = ledger.dataSource.getConnection()) {
            gate.setAutoCommit(false);
            Ledger.ask(gate, "SELECT pg_advisory_xact_lock(42)");
            Thread slow = new Thread(() -> {
                try {
                    fence.attach(lease.grant(), resource).execute("INSERT INTO slow VALUES (?)", resource);
                } catch (SQLException e) {
                    throw new AssertionError(e);
                }
            });
            slow.start();
            Await.until(() -> ledger.ask("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'advisory'"
                            + " AND query LIKE '%INSERT INTO slow%'")
                    .equals("1"));
            assertThatThrownBy(() -> impatient.seal(next, resource)).isInstanceOf(BusyException.class);
            gate.rollback();
            slow.join(30_000);
        }
        impatient.seal(next, resource);
        assertThat(ledger.ask("SELECT count(*) FROM slow")).isEqualTo("1");
    }

    @Test
    void anErrorOfTheStatementComesOutAsItIsAndNothingChanged() throws SQLException {
        assertThatThrownBy(() -> writer.execute("INSERT INTO entry (text) VALUES (?)", new Object[] {null}))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23502"));
        assertThatThrownBy(() -> writer.execute("INSERT INTO paid VALUES (1), (1)"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23505"));
        assertThat(ledger.ask("SELECT count(*) FROM paid")).isEqualTo("0");
        assertPoolIsClean();
    }

    @Test
    void aLockThatIsNotFreeIsBusy() throws SQLException {
        writer.execute(INSERT, resource);
        ledger.run("CREATE FUNCTION never() RETURNS trigger LANGUAGE plpgsql AS"
                + " $$ BEGIN RAISE EXCEPTION 'deadlock' USING ERRCODE = '40P01'; END $$");
        ledger.run("CREATE TRIGGER never BEFORE DELETE ON entry FOR EACH ROW EXECUTE FUNCTION never()");
        assertThatThrownBy(() -> writer.execute("DELETE FROM entry WHERE text = ?", resource))
                .isInstanceOf(BusyException.class)
                .hasMessageContaining(resource);
        assertThat(ledger.count(resource)).isEqualTo(1);
    }

    @Test
    void aLostLeaseSendsNothing() {
        lease.close();
        int before = proxy.roundTrips();
        assertThatThrownBy(() -> writer.execute(INSERT, resource)).isInstanceOf(LeaseLostException.class);
        assertThat(proxy.roundTrips()).isEqualTo(before);
    }

    @Test
    void aPoolWithoutAutoCommitGetsItsConnectionBackAsItCame() throws SQLException {
        try (HikariDataSource manual = new HikariDataSource()) {
            manual.setDataSource(ledger.dataSource);
            manual.setMaximumPoolSize(1);
            manual.setAutoCommit(false);
            JdbcFence.on(manual, ledger.settings).seal(lease, resource).execute(INSERT, resource);
            try (Connection connection = manual.getConnection()) {
                assertThat(connection.getAutoCommit()).isFalse();
            }
        }
        assertThat(ledger.count(resource)).isEqualTo(1);
    }

    @Test
    void theSimpleProtocolIsRefused() {
        PGSimpleDataSource simple = ledger.server.dataSource(ledger.database);
        simple.setPreferQueryMode(PreferQueryMode.SIMPLE);
        JdbcWriter ofSimple = JdbcFence.on(simple, ledger.settings).seal(lease, resource);
        assertThatThrownBy(() -> ofSimple.execute(INSERT, resource))
                .isInstanceOf(UnsupportedStoreException.class)
                .hasMessageContaining("preferQueryMode");
    }

    @Test
    void anythingButASingleChangeIsRefusedBeforeItIsSent() {
        int before = proxy.roundTrips();
        assertThatThrownBy(() -> writer.execute(INSERT + " RETURNING id", resource))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("RETURNING");
        assertThat(proxy.roundTrips()).isEqualTo(before);
    }

    /**
     * Why no rows may come back: a statement with a parameter of unknown type is described, and from then on the driver sends a
     * Sync before it if it cannot estimate its rows. In auto-commit the Sync commits what stands before, such as a check.
     */
    @Test
    void theDriverCutsAMessageBeforeAStatementWithRowsOfUnknownSize() throws SQLException {
        String two = "SELECT 1; INSERT INTO entry (text) VALUES (coalesce(?, 'none')) RETURNING text";
        int before = 0;
        try (Connection connection = through.getConnection()) {
            for (int i = 0; i < REPEATS; i++) {
                before = proxy.roundTrips();
                try (PreparedStatement statement = connection.prepareStatement(two)) {
                    statement.setObject(1, null);
                    statement.execute();
                }
            }
        }
        assertThat(proxy.roundTrips() - before).isEqualTo(2);
        for (int i = 0; i < REPEATS; i++) {
            before = proxy.roundTrips();
            writer.execute("INSERT INTO entry (text) VALUES (coalesce(?, 'none'))", new Object[] {null});
            assertThat(proxy.roundTrips() - before).isEqualTo(1);
        }
    }

    @Test
    void theWalIsThatOfThePlainStatement() throws SQLException {
        String update = "UPDATE entry SET text = text WHERE text = '" + resource + "'";
        writer.execute(INSERT, resource);
        try (Connection plain = ledger.dataSource.getConnection()) {
            long fenced = leastWal(plain, () -> writer.execute(update));
            long unfenced = leastWal(plain, () -> Ledger.update(plain, update));
            assertThat(fenced).isEqualTo(unfenced).isPositive();
        }
    }

    /** The least of some runs: the others hold full-page images, pruned pages and what the server writes on its own. */
    private static long leastWal(Connection plain, Update update) throws SQLException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 20; i++) {
            long before = walPosition(plain);
            update.run();
            least = Math.min(least, walPosition(plain) - before);
        }
        return least;
    }

    private static long walPosition(Connection connection) throws SQLException {
        return Long.parseLong(Ledger.ask(connection, "SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn"));
    }

    private static void assertPoolIsClean() throws SQLException {
        try (Connection connection = poolOfOne.getConnection()) {
            assertThat(connection.getAutoCommit()).isTrue();
            assertThat(List.of(
                            Ledger.ask(connection, "SHOW lock_timeout"),
                            Ledger.ask(connection, "SHOW idle_in_transaction_session_timeout")))
                    .containsOnly("0");
        }
    }

    private interface Update {
        long run() throws SQLException;
    }
}
