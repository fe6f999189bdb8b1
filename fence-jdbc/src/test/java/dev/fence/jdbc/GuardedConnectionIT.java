package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.FencedWriter;
import dev.fence.Lease;
import java.sql.Array;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Wrapper;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;

/** The connection of a body cannot end the transaction, and nothing of it leads to one that can. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class GuardedConnectionIT {

    private static Ledger ledger;
    private static FencedWriter<Connection> writer;
    private static final String RESOURCE = Ledger.name();

    @BeforeAll
    static void seal() throws SQLException {
        ledger = Ledger.create();
        JdbcFence fence = ledger.fence();
        Lease lease = ledger.lease(RESOURCE);
        fence.create(lease, RESOURCE);
        writer = fence.seal(lease, RESOURCE);
    }

    @Test
    void whatEndsOrOutlivesTheTransactionIsRefused() throws SQLException {
        writer.write(c -> {
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    c::commit,
                    c::rollback,
                    c::close,
                    () -> c.setAutoCommit(true),
                    () -> c.setAutoCommit(false),
                    () -> c.abort(Runnable::run),
                    () -> c.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE),
                    () -> c.setReadOnly(true),
                    () -> c.setSchema("public"),
                    () -> c.setClientInfo("ApplicationName", "x"),
                    () -> c.setNetworkTimeout(Runnable::run, 1))) {
                assertRefused(call);
            }
            Ledger.insert(c, "went on");
        });
        assertThat(ledger.count("went on")).isEqualTo(1);
    }

    @Test
    void transactionControlIsRefusedInEveryWayThatTakesSql() throws SQLException {
        writer.write(c -> {
            String sql = "/* x */ SELECT 1; COMMIT";
            try (Statement s = c.createStatement()) {
                for (ThrowingCallable call : List.<ThrowingCallable>of(
                        () -> s.execute(sql),
                        () -> s.execute(sql, Statement.NO_GENERATED_KEYS),
                        () -> s.executeQuery(sql),
                        () -> s.executeUpdate(sql),
                        () -> s.executeLargeUpdate(sql),
                        () -> s.addBatch(sql),
                        () -> c.prepareStatement(sql),
                        () -> c.prepareStatement(sql, ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY),
                        () -> c.prepareCall(sql))) {
                    assertRefused(call);
                }
                s.execute("SAVEPOINT mine; SELECT 1; ROLLBACK TO SAVEPOINT mine; RELEASE mine");
            }
        });
    }

    @Test
    void aProcedureCannotCommitEither() throws SQLException {
        ledger.run("CREATE PROCEDURE commits() LANGUAGE plpgsql AS 'BEGIN COMMIT; END'");
        assertThatThrownBy(() -> writer.write(c -> {
                    Ledger.insert(c, "procedure");
                    try (CallableStatement call = c.prepareCall("CALL commits()")) {
                        call.execute();
                    }
                }))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("2D000"));
        assertThat(ledger.count("procedure")).isZero();
    }

    @Test
    void everyWayBackLeadsToTheGuardedConnection() throws SQLException {
        writer.write(c -> {
            try (Statement statement = c.createStatement();
                    PreparedStatement prepared = c.prepareStatement("SELECT ARRAY[1, 2]");
                    CallableStatement call = c.prepareCall("SELECT 1");
                    ResultSet result = prepared.executeQuery()) {
                result.next();
                Array array = result.getArray(1);
                assertThat(statement.getConnection()).isSameAs(c);
                assertThat(prepared.getConnection()).isSameAs(c);
                assertThat(call.getConnection()).isSameAs(c);
                assertThat(c.getMetaData().getConnection()).isSameAs(c);
                assertThat(c.getMetaData()
                                .getTables(null, null, "entry", null)
                                .getStatement()
                                .getConnection())
                        .isSameAs(c);
                assertThat(result.getStatement().getConnection()).isSameAs(c);
                assertThat(array.getResultSet().getStatement().getConnection()).isSameAs(c);
                for (Wrapper wrapper : List.of(c, statement, prepared, result, c.getMetaData())) {
                    assertRefused(() -> wrapper.unwrap(PGConnection.class));
                    assertThat(wrapper.isWrapperFor(PGConnection.class)).isFalse();
                }
                assertThat(c.unwrap(Connection.class)).isSameAs(c);
            }
        });
    }

    @Test
    void arraysGoInAndOut() throws SQLException {
        Object doubled = writer.call(c -> {
            try (PreparedStatement prepared = c.prepareStatement("SELECT ?::int[] || ?::int[]")) {
                Array array = c.createArrayOf("int4", new Object[] {1, 2});
                prepared.setArray(1, array);
                prepared.setArray(2, array);
                try (ResultSet result = prepared.executeQuery()) {
                    result.next();
                    return result.getArray(1).getArray();
                }
            }
        });
        assertThat((Object[]) doubled).containsExactly(1, 2, 1, 2);
    }

    @Test
    void nothingWorksAfterTheBodyHasReturned() throws SQLException {
        Connection[] kept = new Connection[1];
        Statement[] statement = new Statement[1];
        writer.write(c -> {
            kept[0] = c;
            statement[0] = c.createStatement();
        });
        assertRefused(() -> kept[0].createStatement());
        assertRefused(() -> statement[0].execute("SELECT 1"));
        assertThat(kept[0].isClosed()).isTrue();
        statement[0].close();
    }

    @Test
    void aBatchGoesThrough() throws SQLException {
        writer.write(c -> {
            try (PreparedStatement prepared = c.prepareStatement("INSERT INTO entry (text) VALUES (?)")) {
                for (int i = 0; i < 100; i++) {
                    prepared.setString(1, "batch");
                    prepared.addBatch();
                }
                prepared.executeBatch();
            }
        });
        assertThat(ledger.count("batch")).isEqualTo(100);
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is refused within a write to resource \"" + RESOURCE + "\": ");
    }
}
