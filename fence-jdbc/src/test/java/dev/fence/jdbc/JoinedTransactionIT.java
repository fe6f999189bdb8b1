package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.fence.BusyException;
import dev.fence.Lease;
import dev.fence.LeaseLostException;
import dev.fence.OutcomeUnknownException;
import dev.fence.StaleTokenException;
import dev.fence.UnsupportedStoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.jdbc.AutoSave;

/** A transaction of the caller's, fenced: the check right before its COMMIT is the one that counts. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class JoinedTransactionIT {

    private static Ledger ledger;
    private static JdbcFence fence;

    private final String resource = Ledger.name();
    private Connection connection;
    private Lease lease;
    private JdbcWriter writer;

    @BeforeAll
    static void migrate() throws SQLException {
        ledger = Ledger.create();
        ledger.run("CREATE TABLE paid (invoice int, CONSTRAINT once UNIQUE (invoice) DEFERRABLE INITIALLY DEFERRED)");
        fence = ledger.fence();
    }

    @BeforeEach
    void sealAndBegin() throws SQLException {
        lease = ledger.lease(resource);
        fence.create(lease, resource);
        writer = fence.seal(lease, resource);
        connection = ledger.dataSource.getConnection();
        connection.setAutoCommit(false);
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @Test
    void theCallersTransactionCommitsWhileTheHolderIsTheNewest() throws SQLException {
        try (JoinedTransaction joined = writer.join(connection)) {
            Ledger.insert(connection, resource);
            joined.beforeCommit();
            assertThat(ledger.count(resource)).isZero();
            connection.commit();
        }
        assertThat(ledger.count(resource)).isEqualTo(1);
    }

    @Test
    void aFormerHolderFailsFast() throws SQLException {
        fence.seal(ledger.lease(resource), resource);
        assertThatThrownBy(() -> writer.join(connection)).isInstanceOf(StaleTokenException.class);
        connection.rollback();
        lease.close(); // and is registered no longer
    }

    /** The rollback drops the lock of the first check and keeps the transaction: a seal gets in, at every level. */
    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    void aRollbackToASavepointOlderThanTheFirstCheckIsNoWayRound(int level) throws SQLException {
        connection.setTransactionIsolation(level);
        Ledger.insert(connection, resource);
        Savepoint before = connection.setSavepoint();
        try (JoinedTransaction joined = writer.join(connection)) {
            connection.rollback(before);
            fence.seal(ledger.lease(resource), resource);
            Throwable refusal = catchThrowable(joined::beforeCommit);
            assertThat(refusal)
                    .isInstanceOf(
                            level == Connection.TRANSACTION_READ_COMMITTED
                                    ? StaleTokenException.class
                                    : BusyException.class); // the snapshot is older than the seal: 40001
            connection.commit(); // in vain: the refusal has failed the transaction
        }
        assertThat(ledger.count(resource)).isZero();
    }

    /** After the check that counts, a seal waits for the caller's commit. */
    @Test
    void betweenTheCheckAndTheCommitNobodySeals() throws SQLException {
        JdbcFence impatient = JdbcFence.on(ledger.dataSource, ledger.settings.withSealWait(Duration.ofMillis(100)));
        Savepoint before = connection.setSavepoint();
        try (JoinedTransaction joined = writer.join(connection)) {
            connection.rollback(before);
            Ledger.insert(connection, resource);
            joined.beforeCommit();
            Lease next = ledger.lease(resource);
            assertThatThrownBy(() -> impatient.seal(next, resource)).isInstanceOf(BusyException.class);
            connection.commit();
            impatient.seal(next, resource);
        }
        assertThat(ledger.count(resource)).isEqualTo(1);
    }

    @Test
    void afterARefusalTheTransactionIsForRollbackOnly() throws SQLException {
        Ledger.insert(connection, resource);
        Savepoint first = connection.setSavepoint();
        try (JoinedTransaction joined = writer.join(connection)) {
            connection.rollback(first);
            fence.seal(ledger.lease(resource), resource);
            Savepoint second = connection.setSavepoint();
            Throwable refusal = catchThrowable(joined::beforeCommit);
            assertThat(refusal).isInstanceOf(StaleTokenException.class);
            connection.rollback(second); // heals the transaction, as far as the database is concerned
            assertThat(catchThrowable(joined::beforeCommit)).isSameAs(refusal);
            connection.rollback();
        }
        assertThat(ledger.count(resource)).isZero();
    }

    @Test
    void severalResourcesAreCheckedTogether() throws SQLException {
        String other = resource + "/2";
        fence.create(lease, other);
        try (JoinedTransaction joined =
                fence.seal(lease, Set.of(resource, other)).join(begin())) {
            joined.beforeCommit();
            connection.commit();
        }
        fence.seal(ledger.lease(resource), other);
        assertThatThrownBy(() -> fence.together(writer, fence.attach(lease.grant(), other))
                        .join(begin()))
                .isInstanceOfSatisfying(
                        StaleTokenException.class, e -> assertThat(e.resource()).isEqualTo(other));
    }

    @Test
    void nothingOfTheCallersIsChanged() throws SQLException {
        Ledger.update(connection, "SET LOCAL lock_timeout = '7s'");
        Ledger.update(connection, "SET LOCAL idle_in_transaction_session_timeout = '8s'");
        // from PostgreSQL 17 on
        String longest = Ledger.ask(
                connection,
                "SELECT CASE WHEN current_setting('transaction_timeout', true) IS NULL THEN 'unknown'"
                        + " ELSE set_config('transaction_timeout', '9s', true) END");
        try (JoinedTransaction joined = writer.join(connection)) {
            joined.beforeCommit();
            assertThat(List.of(
                            Ledger.ask(connection, "SHOW lock_timeout"),
                            Ledger.ask(connection, "SHOW idle_in_transaction_session_timeout"),
                            Ledger.ask(
                                    connection,
                                    "SELECT coalesce(current_setting('transaction_timeout', true), 'unknown')")))
                    .containsExactly("7s", "8s", longest);
            assertThat(connection.getNetworkTimeout()).isZero();
            assertThat(connection.getAutoCommit()).isFalse();
            connection.rollback();
        }
        assertThat(connection.isClosed()).isFalse();
    }

    @Test
    void whatCannotBeFencedIsRefusedBeforeAnythingIsSent() throws SQLException {
        try (Connection auto = ledger.dataSource.getConnection()) {
            assertThatThrownBy(() -> writer.join(auto))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("auto-commit");
        }
        assertThatThrownBy(() -> Ledger.ask(connection, "SELECT 1 / 0")).isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> writer.join(connection))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("failed already");
        connection.rollback();
        PGSimpleDataSource saving = ledger.server.dataSource(ledger.database);
        saving.setAutosave(AutoSave.ALWAYS);
        try (Connection autosave = saving.getConnection()) {
            autosave.setAutoCommit(false);
            assertThatThrownBy(() -> writer.join(autosave))
                    .isInstanceOf(UnsupportedStoreException.class)
                    .hasMessageContaining("autosave");
        }
        lease.close();
        assertThatThrownBy(() -> writer.join(connection)).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void theCheckBelongsBeforeTheCommit() throws SQLException {
        try (JoinedTransaction joined = writer.join(connection)) {
            connection.commit();
            assertThatThrownBy(joined::beforeCommit)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("ended");
        }
        try (JoinedTransaction joined = writer.join(connection)) {
            assertThatThrownBy(() -> Ledger.ask(connection, "SELECT 1 / 0")).isInstanceOf(SQLException.class);
            assertThatThrownBy(joined::beforeCommit)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("failed");
        }
    }

    @Test
    void aCommitThatTheDatabaseRefusedIsTranslated() throws SQLException {
        try (JoinedTransaction joined = writer.join(connection)) {
            Ledger.update(connection, "INSERT INTO paid VALUES (1), (1)");
            joined.beforeCommit();
            assertThat(joined.commitFailed(commitError())).isInstanceOf(CommitRefusedException.class);
        }
        assertThat(ledger.ask("SELECT count(*) FROM paid")).isEqualTo("0");
    }

    @Test
    void aCommitThatCollidedIsTranslatedToBusy() throws SQLException {
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        try (JoinedTransaction joined = writer.join(connection);
                Connection other = ledger.dataSource.getConnection()) {
            other.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            other.setAutoCommit(false);
            for (Connection each : List.of(connection, other)) {
                Ledger.ask(each, "SELECT count(*) FROM entry");
                Ledger.insert(each, resource);
            }
            joined.beforeCommit();
            other.commit();
            assertThat(joined.commitFailed(commitError())).isInstanceOf(BusyException.class);
        }
    }

    @Test
    void aCommitWhoseAnswerWasLostIsTranslatedToUnknown() throws SQLException {
        try (JoinedTransaction joined = writer.join(connection)) {
            joined.beforeCommit();
            ledger.run("SELECT pg_terminate_backend(" + Ledger.ask(connection, "SELECT pg_backend_pid()") + ", 10000)");
            assertThat(joined.commitFailed(commitError())).isInstanceOf(OutcomeUnknownException.class);
        }
    }

    private Connection begin() throws SQLException {
        connection.rollback();
        return connection;
    }

    private SQLException commitError() {
        Throwable thrown = catchThrowable(connection::commit);
        assertThat(thrown).isInstanceOf(SQLException.class);
        return (SQLException) thrown;
    }
}
