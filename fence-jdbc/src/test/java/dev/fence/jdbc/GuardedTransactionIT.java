package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import dev.fence.BusyException;
import dev.fence.FencedWriter;
import dev.fence.Lease;
import dev.fence.OutcomeUnknownException;
import dev.fence.StaleTokenException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One write is one transaction on one connection; what comes out of it has one of three types. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class GuardedTransactionIT {

    private static Ledger ledger;
    private static HikariDataSource poolOfOne;
    private static JdbcFence fence;

    private final String resource = Ledger.name();
    private Lease lease;
    private FencedWriter<Connection> writer;

    @BeforeAll
    static void migrate() throws SQLException {
        ledger = Ledger.create();
        ledger.run("CREATE TABLE paid (invoice int, CONSTRAINT once UNIQUE (invoice) DEFERRABLE INITIALLY DEFERRED)");
        poolOfOne = new HikariDataSource();
        poolOfOne.setDataSource(ledger.dataSource);
        poolOfOne.setMaximumPoolSize(1);
        poolOfOne.setConnectionTimeout(10_000);
        fence = JdbcFence.on(poolOfOne, ledger.settings);
    }

    @AfterAll
    static void close() {
        poolOfOne.close();
    }

    @BeforeEach
    void seal() {
        lease = ledger.lease(resource);
        fence.create(lease, resource);
        writer = fence.seal(lease, resource);
    }

    @Test
    void aBodysExceptionRollsBackAndComesOutAsItIs() throws SQLException {
        IOException thrown = new IOException("mine");
        assertThat(catchThrowable(() -> writer.write(c -> {
                    Ledger.insert(c, resource);
                    throw thrown;
                })))
                .isSameAs(thrown);
        AssertionError error = new AssertionError("mine");
        assertThat(catchThrowable(() -> writer.write(c -> {
                    Ledger.insert(c, resource);
                    throw error;
                })))
                .isSameAs(error);
        assertThat(ledger.count(resource)).isZero();
        assertPoolIsClean();
    }

    @Test
    void aFailedRollbackIsSuppressedIntoTheBodysException() {
        IOException thrown = new IOException("mine");
        assertThat(catchThrowable(() -> writer.write(c -> {
                    terminate(c);
                    throw thrown;
                })))
                .isSameAs(thrown)
                .satisfies(t -> assertThat(t.getSuppressed()).isNotEmpty());
    }

    @Test
    void anOrdinarySqlErrorOfTheBodyComesOutAsItIs() {
        assertThatThrownBy(() -> writer.write(c -> Ledger.ask(c, "SELECT 1 / 0")))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22012"));
    }

    /** The driver would report this COMMIT as done. */
    @Test
    void aSwallowedSqlErrorIsNeverReportedAsApplied() throws SQLException {
        assertThatThrownBy(() -> writer.write(c -> {
                    Ledger.insert(c, resource);
                    assertThatThrownBy(() -> Ledger.ask(c, "SELECT 1 / 0")).isNotNull();
                }))
                .isInstanceOf(CommitRefusedException.class)
                .hasMessageContaining("went on after an SQL error")
                .hasMessageContaining(resource)
                .hasCauseInstanceOf(SQLException.class)
                .hasRootCauseMessage("ERROR: division by zero");
        assertThat(ledger.count(resource)).isZero();
        assertPoolIsClean();
    }

    @Test
    void aCommitThatTheDatabaseRefusesChangedNothing() throws SQLException {
        assertThatThrownBy(() -> writer.write(c -> {
                    Ledger.insert(c, resource);
                    try (Statement statement = c.createStatement()) {
                        statement.execute("INSERT INTO paid VALUES (1), (1)");
                    }
                }))
                .isInstanceOf(CommitRefusedException.class)
                .hasMessageContaining("once")
                .cause()
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23505"));
        assertThat(ledger.count(resource)).isZero();
        assertPoolIsClean();
    }

    @Test
    void aCutConnectionBeforeTheCommitIsBusyWhetherOrNotTheBodySwallowsIt() throws SQLException {
        assertThatThrownBy(() -> writer.write(c -> {
                    Ledger.insert(c, resource);
                    terminate(c);
                    Ledger.insert(c, resource);
                }))
                .isInstanceOf(BusyException.class)
                .hasCauseInstanceOf(SQLException.class);
        assertThatThrownBy(() -> writer.write(c -> {
                    Ledger.insert(c, resource);
                    terminate(c);
                    assertThatThrownBy(() -> Ledger.insert(c, resource)).isNotNull();
                }))
                .isInstanceOf(BusyException.class);
        assertThat(ledger.count(resource)).isZero();
        writer.write(c -> Ledger.insert(c, resource));
        assertThat(ledger.count(resource)).isEqualTo(1);
    }

    /** The server says so by a FATAL that cannot be told from one that came after the commit took place. */
    @Test
    void aConnectionThatTurnsOutCutAtTheCommitIsUnknown() {
        assertThatThrownBy(() -> writer.write(GuardedTransactionIT::terminate))
                .isInstanceOf(OutcomeUnknownException.class);
        assertThat(ledger.events).contains("unknown " + lease.token() + " " + resource);
    }

    @Test
    void aHolderThatIdlesInItsTransactionIsCutOffAndHasChangedNothing() throws SQLException {
        JdbcFence impatient =
                JdbcFence.on(ledger.dataSource, ledger.settings.withLongestTransaction(Duration.ofMillis(100)));
        assertThatThrownBy(() -> impatient.seal(lease, resource).write(c -> {
                    Ledger.insert(c, resource);
                    String pid = Ledger.ask(c, "SELECT pg_backend_pid()");
                    Await.until(() -> ledger.ask("SELECT count(*) FROM pg_stat_activity WHERE pid = " + pid)
                            .equals("0"));
                }))
                .isInstanceOf(BusyException.class);
        assertThat(ledger.count(resource)).isZero();
        fence.seal(ledger.lease(resource), resource);
    }

    /** The check is older than every savepoint of the body, so no rollback of the body drops it. */
    @Test
    void aRollbackToASavepointKeepsTheCheck() throws SQLException {
        writer.write(c -> {
            Savepoint savepoint = c.setSavepoint();
            Ledger.insert(c, "undone");
            c.rollback(savepoint);
            assertThat(Ledger.ask(
                            c,
                            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid ="
                                    + " pg_backend_pid()"))
                    .isEqualTo("1");
            Ledger.insert(c, resource);
        });
        assertThat(ledger.count("undone")).isZero();
        assertThat(ledger.count(resource)).isEqualTo(1);
    }

    /** C24: a guarded write uses one connection and no other, and gives it back as it came. */
    @Test
    void aPoolOfOneConnectionIsEnoughForEverything() throws SQLException {
        String other = Ledger.name();
        Lease next = ledger.lease(other);
        fence.create(next, other);
        for (int i = 0; i < 20; i++) {
            fence.seal(next, other).write(c -> Ledger.insert(c, other));
        }
        assertThat(ledger.count(other)).isEqualTo(20);
        assertPoolIsClean();
    }

    @Test
    void theConnectionComesBackAsItCame() throws SQLException {
        for (boolean autoCommit : new boolean[] {true, false}) {
            try (HikariDataSource pool = new HikariDataSource()) {
                pool.setDataSource(ledger.dataSource);
                pool.setMaximumPoolSize(1);
                pool.setAutoCommit(autoCommit);
                pool.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
                JdbcFence own = JdbcFence.on(pool, ledger.settings);
                own.seal(lease, resource).write(c -> {
                    assertThat(Ledger.ask(c, "SHOW transaction_isolation")).isEqualTo("repeatable read");
                });
                try (Connection connection = pool.getConnection()) {
                    assertThat(connection.getAutoCommit()).isEqualTo(autoCommit);
                    assertThat(connection.getNetworkTimeout()).isZero();
                    assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
                    assertThat(Ledger.ask(connection, "SHOW idle_in_transaction_session_timeout"))
                            .isEqualTo("0");
                    assertThat(Ledger.ask(connection, "SHOW transaction_isolation"))
                            .isEqualTo("repeatable read");
                }
            }
        }
    }

    @Test
    void noTransactionIsOpenWhileALeaseIsMerelyHeld() throws SQLException {
        writer.write(c -> Ledger.insert(c, resource));
        assertThat(ledger.ask("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                        + " AND state LIKE 'idle in transaction%'"))
                .isEqualTo("0");
    }

    @Test
    void whatTheBodyLearnedAboutAnotherWriteComesOutAsItIs() {
        OutcomeUnknownException other =
                new OutcomeUnknownException("other", lease.grant(), new SQLException("cut", "08006"));
        assertThat(catchThrowable(() -> writer.write(c -> {
                    throw other;
                })))
                .isSameAs(other);
        IllegalStateException wrapped = new IllegalStateException(other);
        assertThat(catchThrowable(() -> writer.write(c -> {
                    throw wrapped;
                })))
                .isSameAs(wrapped);
    }

    @Test
    void aRefusedWriteDoesNotRunItsBody() {
        fence.seal(ledger.lease(resource), resource);
        assertThatThrownBy(() -> writer.write(c -> {
                    throw new AssertionError("ran");
                }))
                .isInstanceOf(StaleTokenException.class);
    }

    private static void terminate(Connection connection) throws SQLException {
        ledger.run("SELECT pg_terminate_backend(" + Ledger.ask(connection, "SELECT pg_backend_pid()") + ", 10000)");
    }

    private static void assertPoolIsClean() throws SQLException {
        try (Connection connection = poolOfOne.getConnection()) {
            assertThat(connection.getAutoCommit()).isTrue();
            assertThat(Ledger.ask(
                            connection,
                            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid ="
                                    + " pg_backend_pid()"))
                    .isEqualTo("0");
        }
    }
}
