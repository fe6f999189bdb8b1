package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.fence.BusyException;
import dev.fence.Lease;
import dev.fence.StaleTokenException;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every way to write, at the isolation level of the setting, in as many round trips as without, and as safe. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class IsolationIT {

    private static final String INSERT = "INSERT INTO entry (text) VALUES (?)";
    private static final String INSERT_LEVEL =
            "INSERT INTO entry (text) VALUES (? || current_setting('transaction_isolation')) -- noted";
    private static final int REPEATS = 8; // past the driver's threshold for prepared statements

    private static Ledger ledger;
    private static CountingProxy proxy;
    private static HikariDataSource poolOfOne;

    private final String resource = Ledger.name();
    private Lease lease;

    @BeforeAll
    static void migrate() throws SQLException, IOException {
        ledger = Ledger.create();
        ledger.run("CREATE TABLE counter (id int PRIMARY KEY, n int)");
        ledger.run("INSERT INTO counter VALUES (1, 0)");
        proxy = new CountingProxy(ledger.server.port());
        poolOfOne = new HikariDataSource();
        poolOfOne.setDataSource(ledger.through(proxy.port()));
        poolOfOne.setMaximumPoolSize(1);
    }

    @AfterAll
    static void close() throws IOException {
        poolOfOne.close();
        proxy.close();
    }

    @BeforeEach
    void create() {
        lease = ledger.lease(resource);
        ledger.fence().create(lease, resource);
    }

    private JdbcFence at(Isolation isolation) {
        return JdbcFence.on(
                poolOfOne, ledger.settings.withIsolation(isolation).withVerification(Verification.STATEMENTS_TOO));
    }

    @ParameterizedTest
    @EnumSource
    void writesStatementsAndBatchesRunAtTheLevel(Isolation isolation) throws SQLException {
        JdbcWriter writer = at(isolation).seal(lease, resource);
        String level = isolation.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        for (int i = 0; i < REPEATS; i++) {
            int before = proxy.roundTrips();
            writer.write(c -> Ledger.update(
                    c,
                    "INSERT INTO entry (text) SELECT '" + resource + "' || current_setting('transaction_isolation')"));
            assertThat(proxy.roundTrips() - before).as("write " + i).isEqualTo(3);
            assertThat(ledger.count(resource + level)).as("write " + i).isEqualTo(4 * i + 1);
            before = proxy.roundTrips();
            assertThat(writer.execute(INSERT_LEVEL, resource)).isEqualTo(1);
            assertThat(proxy.roundTrips() - before).as("execute " + i).isEqualTo(1);
            assertThat(ledger.count(resource + level)).as("execute " + i).isEqualTo(4 * i + 2);
            before = proxy.roundTrips();
            assertThat(writer.executeBatch(INSERT_LEVEL, List.of(new Object[] {resource}, new Object[] {resource})))
                    .containsExactly(1, 1);
            assertThat(proxy.roundTrips() - before).as("batch " + i).isEqualTo(3);
            assertThat(ledger.count(resource + level)).as("batch " + i).isEqualTo(4 * i + 4);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStaleHolderIsRefusedInEveryWayAndThePoolIsClean(Isolation isolation) throws SQLException {
        JdbcFence fence = at(isolation);
        String other = resource + "/2";
        fence.create(lease, other);
        JdbcWriter writer = fence.attach(lease.grant(), resource);
        JdbcWriter both = fence.together(writer, fence.attach(lease.grant(), other));
        ledger.fence().seal(ledger.lease(resource), resource);
        assertThatThrownBy(() -> writer.write(c -> {})).isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> writer.execute(INSERT, resource)).isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> both.execute(INSERT, resource)).isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> writer.executeBatch(INSERT, List.<Object[]>of(new Object[] {resource})))
                .isInstanceOf(StaleTokenException.class);
        assertThat(Ledger.ask(poolOfOne, "SELECT pg_current_xact_id_if_assigned() IS NULL"))
                .isEqualTo("t");
        assertThat(ledger.count(resource)).isZero();
    }

    /** An error of the statement itself leaves a transaction that the message had begun. */
    @ParameterizedTest
    @EnumSource
    void anErrorOfAStatementComesOutAndEndsItsTransaction(Isolation isolation) throws SQLException {
        JdbcWriter writer = at(isolation).seal(lease, resource);
        String pid = Ledger.ask(poolOfOne, "SELECT pg_backend_pid()");
        assertThatThrownBy(() -> writer.execute("INSERT INTO entry (text) VALUES (1 / ?)", 0))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("zero");
        assertThat(writer.execute(INSERT, resource)).isEqualTo(1);
        assertThat(Ledger.ask(poolOfOne, "SELECT pg_backend_pid()")).isEqualTo(pid);
    }

    /** What the level adds: a row that changed since the transaction began to look is a collision. */
    @ParameterizedTest
    @EnumSource(names = "READ_COMMITTED", mode = EnumSource.Mode.EXCLUDE)
    void aCollisionIsBusy(Isolation isolation) {
        JdbcWriter writer = at(isolation).seal(lease, resource);
        assertThatThrownBy(() -> writer.write(c -> {
                    Ledger.ask(c, "SELECT n FROM counter");
                    ledger.run("UPDATE counter SET n = n + 1");
                    Ledger.update(c, "UPDATE counter SET n = n + 1");
                }))
                .isInstanceOf(BusyException.class);
    }
}
