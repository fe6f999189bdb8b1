package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.BusyException;
import dev.fence.FencedWriter;
import dev.fence.Lease;
import dev.fence.StaleTokenException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** C29: a serialization failure is not fencing, and fencing is not retryable. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class C29RetryableIsNotFencingIT {

    private static Ledger ledger;

    private final String resource = Ledger.name();

    @BeforeAll
    static void migrate() throws SQLException {
        ledger = Ledger.create();
        ledger.run("CREATE TABLE balance (account text PRIMARY KEY, amount int)");
    }

    /** The collision comes out of COMMIT itself: each has read what the other writes. */
    @Test
    void aSerializationFailureAtTheCommitIsBusy() throws SQLException {
        FencedWriter<Connection> writer = sealed(at("serializable"));
        assertThatThrownBy(() -> writer.write(c -> {
                    Ledger.ask(c, "SELECT count(*) FROM balance");
                    run(c, "INSERT INTO balance VALUES ('a " + resource + "', 1)");
                    try (Connection other = at("serializable").getConnection()) {
                        other.setAutoCommit(false);
                        Ledger.ask(other, "SELECT count(*) FROM balance");
                        run(other, "INSERT INTO balance VALUES ('b " + resource + "', 1)");
                        other.commit();
                    }
                }))
                .isInstanceOf(BusyException.class)
                .hasMessageContaining("commit")
                .cause()
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"));
        writer.write(c -> run(c, "INSERT INTO balance VALUES ('a " + resource + "', 1)"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"repeatable read", "serializable"})
    void aSerializationFailureInTheBodyIsBusyHoweverDeepItIsWrapped(String level) throws SQLException {
        FencedWriter<Connection> writer = sealed(at(level));
        run("INSERT INTO balance VALUES ('" + resource + "', 1)");
        assertThatThrownBy(() -> writer.write(c -> {
                    Ledger.ask(c, "SELECT 1");
                    run("UPDATE balance SET amount = 2 WHERE account = '" + resource + "'");
                    try {
                        run(c, "UPDATE balance SET amount = 3 WHERE account = '" + resource + "'");
                    } catch (SQLException e) {
                        SQLException first = new SQLException("batch");
                        first.setNextException(e);
                        throw new IllegalStateException("orm", new IllegalArgumentException("mapper", first));
                    }
                }))
                .isInstanceOf(BusyException.class)
                .hasCauseInstanceOf(IllegalStateException.class);
        assertThat(ledger.ask("SELECT amount FROM balance WHERE account = '" + resource + "'"))
                .isEqualTo("2");
    }

    @Test
    void aSerializationFailureThatTheBodySwallowedIsBusy() throws SQLException {
        FencedWriter<Connection> writer = sealed(at("repeatable read"));
        run("INSERT INTO balance VALUES ('" + resource + "', 1)");
        assertThatThrownBy(() -> writer.write(c -> {
                    Ledger.ask(c, "SELECT 1");
                    run("UPDATE balance SET amount = 2 WHERE account = '" + resource + "'");
                    assertThatThrownBy(
                            () -> run(c, "UPDATE balance SET amount = 3 WHERE account = '" + resource + "'"));
                }))
                .isInstanceOf(BusyException.class);
    }

    @Test
    void aDeadlockIsBusyForOneAndTheOtherCommits() throws Exception {
        FencedWriter<Connection> one = sealed(ledger.dataSource);
        String other = Ledger.name();
        FencedWriter<Connection> two = sealed(ledger.dataSource, other);
        run("INSERT INTO balance VALUES ('x " + resource + "', 0), ('y " + resource + "', 0)");
        CyclicBarrier both = new CyclicBarrier(2);
        FutureTask<Boolean> second = new FutureTask<>(() -> succeeds(two, both, "y " + resource, "x " + resource));
        new Thread(second).start();
        boolean first = succeeds(one, both, "x " + resource, "y " + resource);
        assertThat(first).isNotEqualTo(second.get());
    }

    private static boolean succeeds(FencedWriter<Connection> writer, CyclicBarrier both, String first, String then)
            throws Exception {
        try {
            writer.write(c -> {
                run(c, "UPDATE balance SET amount = amount + 1 WHERE account = '" + first + "'");
                both.await();
                run(c, "UPDATE balance SET amount = amount + 1 WHERE account = '" + then + "'");
            });
            return true;
        } catch (BusyException e) {
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"read committed", "repeatable read", "serializable"})
    void aStaleTokenIsStaleAtEveryLevelAndNoRetryableException(String level) throws SQLException {
        FencedWriter<Connection> writer = sealed(at(level));
        ledger.fence().seal(ledger.lease(resource), resource);
        assertThatThrownBy(() -> writer.write(c -> {}))
                .isInstanceOf(StaleTokenException.class)
                .isNotInstanceOf(BusyException.class);
    }

    private FencedWriter<Connection> sealed(DataSource dataSource) {
        return sealed(dataSource, resource);
    }

    private static FencedWriter<Connection> sealed(DataSource dataSource, String resource) {
        JdbcFence fence = JdbcFence.on(dataSource, ledger.settings);
        Lease lease = ledger.lease(resource);
        fence.create(lease, resource);
        return fence.seal(lease, resource);
    }

    /** Connections whose default is {@code level}, as a pool can set it. */
    private static DataSource at(String level) {
        PGSimpleDataSource dataSource = ledger.server.dataSource(ledger.database);
        dataSource.setOptions("-c default_transaction_isolation=" + level.replace(" ", "\\ "));
        return dataSource;
    }

    private static void run(String sql) throws SQLException {
        ledger.run(sql);
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
