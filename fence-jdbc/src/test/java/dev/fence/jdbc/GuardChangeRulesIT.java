package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules of the guard that show only while somebody waits, or when somebody's trigger interferes: {@code script/mutants}. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class GuardChangeRulesIT {

    private static Ledger ledger;

    private final Guard old = Guard.of(Ledger.name(), 10);
    private final Guard next = Guard.of(old.resource(), 11);
    private final ExecutorService waiter = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "who-waits");
        thread.setDaemon(true);
        return thread;
    });
    private Connection first;
    private Connection second;

    @BeforeAll
    static void migrate() throws SQLException {
        ledger = Ledger.create();
    }

    @BeforeEach
    void connect() throws SQLException {
        first = ledger.dataSource.getConnection();
        second = ledger.dataSource.getConnection();
        old.create(first);
    }

    @AfterEach
    void disconnect() throws SQLException {
        waiter.shutdownNow();
        first.close();
        second.close();
    }

    /** With a snapshot taken before the wait, it would find the guard that it carried then. */
    @Test
    void aCheckThatWaitedForASealSeesIt() throws Exception {
        first.setAutoCommit(false);
        next.seal(first);

        Future<?> check = waitsBehind(second, () -> old.check(second, 20_000));
        first.commit();

        GuardRulesIT.assertRefused(SqlStates.STALE, () -> rethrow(check));
    }

    /** The sealer's transaction is older than the wait: whoever began meanwhile can have read what the last writer changed. */
    @Test
    void aSealIsDatedAfterItsWaitForWritersInFlight() throws Exception {
        first.setAutoCommit(false);
        old.check(first);
        try (Connection sealer = ledger.dataSource.getConnection()) {
            Future<?> seal = waitsBehind(sealer, () -> next.seal(sealer, 20_000, false));
            second.setAutoCommit(false);
            Ledger.ask(second, "SELECT count(*) FROM entry");
            first.commit();
            seal.get(30, TimeUnit.SECONDS);
        }

        GuardRulesIT.assertRefused(SqlStates.BEGAN_BEFORE_SEAL, () -> next.check(second));
    }

    @Test
    void creatingIsAChangeToo() throws SQLException {
        first.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);

        GuardRulesIT.assertRefused("ZF012", () -> Guard.of(Ledger.name(), 1).create(first));
    }

    @Test
    void theTimeOfASealNeverFalls() throws SQLException {
        ledger.run("UPDATE fence.guard SET sealed_at = sealed_at + interval '1 hour' WHERE resource = '"
                + old.resource() + "'");

        assertThat(next.seal(first)).isEqualTo("t");
    }

    @Test
    void aChangeLimitsItsOwnTransaction() throws SQLException {
        first.setAutoCommit(false);
        next.seal(first, 2_500, false);

        assertThat(Ledger.ask(first, "SHOW idle_in_transaction_session_timeout"))
                .isEqualTo("2500ms");
    }

    /** A foreign session has locked the row: before PostgreSQL 17 nothing else would end the wait. */
    @Test
    void aLockedRowIsWaitedForAsLongAsTheLockAndNoLonger() throws SQLException {
        first.setAutoCommit(false);
        Ledger.ask(first, "SELECT 1 FROM fence.guard WHERE resource = '" + old.resource() + "' FOR UPDATE");

        GuardRulesIT.assertRefused("55P03", () -> next.seal(second, 100, false));
    }

    @Test
    void aShortWaitIsNoReasonToCutAChangeOff() throws SQLException {
        first.setAutoCommit(false);
        next.seal(first, 10, false);

        assertThat(Ledger.ask(first, "SHOW idle_in_transaction_session_timeout"))
                .isEqualTo("1s");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fence.retire_v1('%s', 'me', 'because')",
                "fence.override_v1('%s', 'src', 'lease', 5, 'me', 'because')"
            })
    void anOperatorWaitsForWritersInFlight(String call) throws SQLException {
        first.setAutoCommit(false);
        old.check(first);
        run(second, "SET lock_timeout = '50ms'");

        GuardRulesIT.assertRefused("55P03", () -> run(second, "SELECT " + String.format(call, old.resource())));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fence.retire_v1('nobody', 'me', 'because')",
                "fence.override_v1('nobody', 'src', 'lease', 5, 'me', 'because')"
            })
    void anOperatorIsToldThatThereIsNoGuard(String call) {
        GuardRulesIT.assertRefused(SqlStates.GUARD_MISSING, () -> run(first, "SELECT " + call));
    }

    @Test
    void aCreationOrAnOverrideThatIsSwallowedIsNone() throws SQLException {
        Ledger own = Ledger.create();
        Guard guard = Guard.of("r", 1);
        try (Connection connection = own.dataSource.getConnection()) {
            guard.create(connection);
            run(connection, "CREATE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'");
            run(
                    connection,
                    "CREATE TRIGGER a_swallow BEFORE INSERT OR UPDATE ON fence.guard FOR EACH ROW EXECUTE FUNCTION swallow()");

            GuardRulesIT.assertRefused(
                    SqlStates.CHANGE_SWALLOWED, () -> Guard.of("s", 1).create(connection));
            GuardRulesIT.assertRefused(
                    SqlStates.CHANGE_SWALLOWED,
                    () -> run(connection, "SELECT fence.override_v1('r', 'src', 'lease', 5, 'me', 'because')"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE FROM fence.guard WHERE resource = '%s'",
                "UPDATE fence.guard SET resource = 'another' WHERE resource = '%s'"
            })
    void anOverrideNeitherRemovesNorRenames(String change) throws SQLException {
        first.setAutoCommit(false);
        run(first, "SELECT fence.override_v1('" + old.resource() + "', 'src', 'lease', 5, 'me', 'because')");

        GuardRulesIT.assertRefused("ZF013", () -> run(first, String.format(change, old.resource())));
    }

    @Test
    void theFloorIsThatOfTheHighestGuardThatWasRetired() throws SQLException {
        Ledger own = Ledger.create();
        try (Connection connection = own.dataSource.getConnection()) {
            Guard.of("high", 20).create(connection);
            Guard.of("low", 5).create(connection);
            run(connection, "SELECT fence.retire_v1('high', 'me', 'because')");
            run(connection, "SELECT fence.retire_v1('low', 'me', 'because')");

            assertThat(Ledger.ask(connection, "SELECT token FROM fence.creation_floor"))
                    .isEqualTo("20");
            GuardRulesIT.assertRefused(
                    "ZF013", () -> run(connection, "UPDATE fence.creation_floor SET source = 'another'"));
        }
    }

    private interface Step {
        void run() throws SQLException;
    }

    /** Has {@code step} done on a thread of its own, and returns when it waits for an advisory lock. */
    private Future<?> waitsBehind(Connection waiting, Step step) throws SQLException {
        String pid = Ledger.ask(waiting, "SELECT pg_backend_pid()");
        Future<?> done = waiter.submit(() -> {
            step.run();
            return null;
        });
        Await.until(() -> ledger.ask("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
                        + " AND pid = " + pid)
                .equals("1"));
        return done;
    }

    private static void rethrow(Future<?> done) throws Throwable {
        try {
            done.get(30, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw Objects.requireNonNull(e.getCause());
        }
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
