package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.BusyException;
import dev.fence.FencedWriter;
import dev.fence.Lease;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every wait is bounded and says who is in the way. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SealWaitIT {

    private static final Duration SHORT = Duration.ofMillis(200);

    private static Ledger ledger;
    private static JdbcFence fence;

    private final String resource = Ledger.name();

    @BeforeAll
    static void migrate() throws SQLException {
        ledger = Ledger.create();
        fence = JdbcFence.on(
                ledger.dataSource, ledger.settings.withSealWait(SHORT).withCheckWait(SHORT));
    }

    @Test
    void aSealerWaitsForAWriteInFlightAndNamesItsBackend() throws SQLException {
        Lease old = ledger.lease(resource);
        fence.create(old, resource);
        Lease next = ledger.lease(resource);
        fence.attach(old.grant(), resource).write(c -> {
            String pid = Ledger.ask(c, "SELECT pg_backend_pid()");
            assertThatThrownBy(() -> fence.seal(next, resource))
                    .isInstanceOf(BusyException.class)
                    .hasMessageContaining(resource)
                    .hasMessageContaining("backend " + pid + " has ShareLock");
        });
        fence.seal(next, resource);
    }

    /** A nested write on a second connection queues behind the sealer who waits for the outer one: it gives up in time. */
    @Test
    void aNestedWriteBehindAQueuedSealerGivesUp() throws Exception {
        Lease old = ledger.lease(resource);
        fence.create(old, resource);
        Lease next = ledger.lease(resource);
        FencedWriter<Connection> writer = fence.attach(old.grant(), resource);
        JdbcFence patient = ledger.fence();
        Thread sealer = new Thread(() -> patient.seal(next, resource));
        writer.write(c -> {
            String outer = Ledger.ask(c, "SELECT pg_backend_pid()");
            sealer.start();
            Await.until(() -> ledger.ask("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
                            + " AND pid <> " + outer)
                    .equals("1"));
            assertThatThrownBy(() -> writer.write(inner -> {}))
                    .isInstanceOf(BusyException.class)
                    .hasMessageContaining("waits for ExclusiveLock");
        });
        sealer.join();
    }

    @Test
    void aPreparedTransactionInTheWayIsNamed() throws SQLException {
        Guard sealed = Guard.of(resource, 1);
        try (Connection connection = ledger.dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            sealed.create(connection);
            connection.setAutoCommit(false);
            sealed.check(connection);
            String gid = "gid of " + resource;
            statement.execute("PREPARE TRANSACTION '" + gid + "'");
            connection.setAutoCommit(true);
            assertThatThrownBy(() -> sealed.withToken(2).seal(connection, 100, false))
                    .hasMessageContaining("prepared transaction \"" + gid + "\" has ShareLock");
            statement.execute("ROLLBACK PREPARED '" + gid + "'");
        }
    }

    @Test
    void aShorterLockTimeoutOfTheCallerStays() throws SQLException {
        Guard sealed = Guard.of(resource, 1);
        try (Connection writer = ledger.dataSource.getConnection();
                Connection sealer = ledger.dataSource.getConnection();
                Statement statement = sealer.createStatement()) {
            sealed.create(writer);
            writer.setAutoCommit(false);
            sealed.check(writer);
            statement.execute("SET lock_timeout = '50ms'");
            GuardRulesIT.assertRefused("55P03", () -> sealed.withToken(2).seal(sealer, 60_000, false));
        }
    }

    /** The check's own bound would otherwise end the row waits of the body. */
    @Test
    void theCallersLockTimeoutIsBackAfterACheckThatHadToWait() throws Exception {
        Guard sealed = Guard.of(resource, 1);
        try (Connection sealer = ledger.dataSource.getConnection();
                Connection writer = ledger.dataSource.getConnection()) {
            sealed.create(sealer);
            sealer.setAutoCommit(false);
            sealed.seal(sealer);
            writer.setAutoCommit(false);
            String pid = Ledger.ask(writer, "SELECT pg_backend_pid()");
            Thread committer = new Thread(() -> {
                try {
                    Await.until(() -> ledger.ask("SELECT count(*) FROM pg_locks WHERE NOT granted AND pid = " + pid)
                            .equals("1"));
                    sealer.commit();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            committer.start();
            sealed.check(writer, 30_000);
            committer.join();
            assertThat(Ledger.ask(writer, "SHOW lock_timeout")).isEqualTo("0");
        }
    }

    /** C24: a foreign session has locked the row of the guard. */
    @Test
    void aLockedGuardRowBoundsTheSealAndDisturbsNobodyElse() throws SQLException {
        Lease lease = ledger.lease(resource);
        fence.create(lease, resource);
        Lease next = ledger.lease(resource);
        try (Connection foreign = ledger.dataSource.getConnection()) {
            foreign.setAutoCommit(false);
            Ledger.ask(foreign, "SELECT 1 FROM fence.guard WHERE resource = '" + resource + "' FOR UPDATE");
            assertThatThrownBy(() -> fence.seal(next, resource)).isInstanceOf(BusyException.class);
            fence.attach(lease.grant(), resource).write(c -> {});
        }
    }

    @Test
    void theApplicationsOwnAdvisoryLocksAreNeverWaitedFor() throws SQLException {
        try (Connection application = ledger.dataSource.getConnection()) {
            Ledger.ask(application, "SELECT pg_advisory_lock(n) FROM generate_series(-1000, 1000) n");
            Ledger.ask(application, "SELECT pg_advisory_lock(0, n) FROM generate_series(0, 1000) n");
            Lease lease = ledger.lease(resource);
            fence.create(lease, resource);
            fence.seal(lease, resource).write(c -> {});
        }
    }
}
