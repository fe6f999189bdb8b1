package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What stands around the lock of a row, and who is in a sealer's way, as the database has them. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RowRulesIT {

    private static final String LIMITS =
            "SELECT current_setting('idle_in_transaction_session_timeout') || ' ' || current_setting('transaction_timeout', true)";

    private final Guard guard = Guard.of("r", 1);
    private final String lock = "SELECT pg_advisory_xact_lock(fence.lock_key('r')";
    private Ledger ledger;
    private Connection connection;
    private Connection other;

    @BeforeEach
    void connect() throws SQLException {
        ledger = Ledger.create();
        connection = ledger.dataSource.getConnection();
        connection.setAutoCommit(false);
        other = ledger.dataSource.getConnection();
        other.setAutoCommit(false);
    }

    @AfterEach
    void disconnect() throws SQLException {
        connection.close();
        other.close();
    }

    @ParameterizedTest
    @CsvSource({"0, 70ms", "10s, 70ms", "70ms, 70ms", "50ms, 50ms"})
    void aWaitForARowIsBoundedUntilItHasItsLock(String own, String bound) throws SQLException {
        set("lock_timeout", own);
        begin(70, 30_000);
        assertThat(ask("SHOW lock_timeout")).isEqualTo(bound);

        ask("SELECT fence.end_row_v1()");
        assertThat(ask("SHOW lock_timeout")).isEqualTo(own);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 30s, 30s",
        "1min, 0, 30s, 30s",
        "0, 1min, 30s, 30s",
        "20s, 0, 20s, 30s",
        "0, 20s, 30s, 20s",
    })
    void aTransactionWithARowMayNeitherIdleNorLast(String idle, String all, String idleThen, String allThen)
            throws SQLException {
        boolean limitsAll = Integer.parseInt(ask("SHOW server_version_num")) >= 170000;
        set("idle_in_transaction_session_timeout", idle);
        if (limitsAll) {
            set("transaction_timeout", all);
        }
        begin(70, 30_000);

        assertThat(limitsAll ? ask(LIMITS) : ask("SHOW idle_in_transaction_session_timeout"))
                .isEqualTo(limitsAll ? idleThen + " " + allThen : idleThen);
    }

    @Test
    void theBoundsAreThoseOfTheTransaction() throws SQLException {
        begin(70, 30_000);
        connection.commit();

        assertThat(ask("SHOW lock_timeout")).isEqualTo("0");
        assertThat(ask("SHOW idle_in_transaction_session_timeout")).isEqualTo("0");
    }

    @ParameterizedTest
    @CsvSource({"0, 1000", "70, 0"})
    void zeroWouldBeNoBound(int wait, int idle) {
        GuardRulesIT.assertRefused("22023", () -> begin(wait, idle));
    }

    @Test
    void aReadOnlyTransactionIsToldBeforeItsRowIs() throws SQLException {
        connection.setReadOnly(true);

        GuardRulesIT.assertRefused(SqlStates.NOT_WRITABLE, () -> begin(70, 30_000));
    }

    @Test
    void inTheWayIsWhoHasTheLockAndNotWhoAsksOrWaits() throws Exception {
        guard.create(other);
        other.commit();
        assertThat(blockers()).isEqualTo("null");
        guard.check(connection);
        assertThat(blockers()).as("the lock of the one who asks").isEqualTo("null");

        guard.check(other);
        assertThat(blockers()).isEqualTo(Ledger.ask(other, "SELECT pg_backend_pid()"));
        try (Connection waiting = ledger.dataSource.getConnection()) {
            String pid = Ledger.ask(waiting, "SELECT pg_backend_pid()");
            CompletableFuture<String> waited = CompletableFuture.supplyAsync(() -> {
                try {
                    return Ledger.ask(waiting, lock + ")");
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            Await.until(() -> ledger.ask("SELECT count(*) FROM pg_locks WHERE NOT granted AND pid = " + pid)
                    .equals("1"));
            assertThat(blockers()).isEqualTo(Ledger.ask(other, "SELECT pg_backend_pid()"));
            other.rollback();
            waited.get(30, TimeUnit.SECONDS);
        }
    }

    /** The key of another resource can have one half in common; two halves given one by one are another kind of key. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT pg_advisory_xact_lock(fence.lock_key('r') # 1)",
                "SELECT pg_advisory_xact_lock(fence.lock_key('r') # 4294967296)",
                "SELECT pg_advisory_xact_lock(left(fence.lock_key('r')::bit(64)::text, 32)::bit(32)::int,"
                        + " right(fence.lock_key('r')::bit(64)::text, 32)::bit(32)::int)"
            })
    void nobodyElsesLockIsInTheWay(String foreign) throws SQLException {
        Ledger.ask(other, foreign);

        assertThat(blockers()).isEqualTo("null");
    }

    @Test
    void aLockOfTheSameKeyInAnotherDatabaseIsNotInTheWay() throws SQLException {
        Ledger elsewhere = Ledger.create();
        try (Connection foreign = elsewhere.dataSource.getConnection()) {
            foreign.setAutoCommit(false);
            Ledger.ask(foreign, lock + ")");

            assertThat(blockers()).isEqualTo("null");
        }
    }

    /** Each time in a transaction of its own, as a sealer asks: who is there is read once in a transaction. */
    private String blockers() throws SQLException {
        String found = ask("SELECT string_agg(pid::text, ',') FROM fence.blockers_v1('r') AS pid");
        connection.rollback();
        return found;
    }

    private void begin(int waitMillis, int idleMillis) throws SQLException {
        ask("SELECT fence.begin_row_v1(" + waitMillis + ", " + idleMillis + ")");
    }

    private void set(String setting, String value) throws SQLException {
        ask("SELECT set_config('" + setting + "', '" + value + "', true)");
    }

    private String ask(String sql) throws SQLException {
        return Ledger.ask(connection, sql);
    }
}
