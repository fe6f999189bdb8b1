package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.fence.BusyException;
import dev.fence.Lease;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** C24: a fence takes one connection for each write and for no longer, and whoever is stopped with one is got rid of. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class C24PoolMannersIT {

    private static Ledger ledger;

    private final String resource = Ledger.name();
    private Lease lease;

    @BeforeAll
    static void migrate() throws SQLException {
        ledger = Ledger.create();
        // some operators set it, and nothing of ours may rely on an idle transaction
        ledger.run("ALTER DATABASE " + ledger.database + " SET idle_in_transaction_session_timeout = '5s'");
    }

    @BeforeEach
    void create() {
        lease = ledger.lease(resource);
        ledger.fence().create(lease, resource);
    }

    private HikariDataSource pool(int size, Duration wait) {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(ledger.dataSource);
        pool.setMaximumPoolSize(size);
        pool.setConnectionTimeout(wait.toMillis());
        return pool;
    }

    @Test
    void fiveTimesAsManyThreadsAsConnectionsGetThrough() throws Exception {
        try (HikariDataSource pool = pool(4, Duration.ofSeconds(20))) {
            JdbcWriter writer = JdbcFence.on(pool, ledger.settings).seal(lease, resource);
            ExecutorService threads = Executors.newFixedThreadPool(20);
            try {
                List<Future<?>> all = new ArrayList<>();
                for (int t = 0; t < 20; t++) {
                    all.add(threads.submit(() -> {
                        for (int i = 0; i < 10; i++) {
                            writer.write(c -> Ledger.insert(c, resource));
                            writer.execute("INSERT INTO entry (text) VALUES (?)", resource);
                        }
                        return null;
                    }));
                }
                for (Future<?> each : all) {
                    each.get();
                }
            } finally {
                threads.shutdownNow();
            }
            assertThat(ledger.count(resource)).isEqualTo(400);
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        }
    }

    /** Nesting takes a second connection; where there is none it ends with the pool's own wait, and the outer write goes on. */
    @Test
    void nestingInAPoolOfOneEndsInBusy() throws SQLException {
        try (HikariDataSource pool = pool(1, Duration.ofMillis(300))) {
            JdbcWriter writer = JdbcFence.on(pool, ledger.settings).seal(lease, resource);
            writer.write(c -> {
                Ledger.insert(c, resource);
                assertThatThrownBy(() -> writer.write(inner -> {}))
                        .isInstanceOf(BusyException.class)
                        .hasMessageContaining("no connection");
                assertThatThrownBy(() -> writer.execute("DELETE FROM entry")).isInstanceOf(BusyException.class);
            });
            assertThat(ledger.count(resource)).isEqualTo(1);
        }
    }

    /** The seal's wait ends the one who is in the way, where that was asked for. */
    @Test
    void aStoppedWriterIsEvictedByTheNextHolder() throws SQLException {
        JdbcFence fence = JdbcFence.on(
                ledger.dataSource,
                ledger.settings
                        .withSealWait(Duration.ofSeconds(20)) // before the server would do it
                        .withEvictAfter(Duration.ofMillis(100))
                        .withLongestTransaction(Duration.ofMinutes(1)));
        Lease next = ledger.lease(resource);
        assertThatThrownBy(() -> fence.attach(lease.grant(), resource).write(c -> {
                    Ledger.insert(c, resource);
                    fence.seal(next, resource);
                    Ledger.insert(c, resource);
                }))
                .isInstanceOf(BusyException.class);
        assertThat(ledger.count(resource)).isZero();
        fence.attach(next.grant(), resource).write(c -> Ledger.insert(c, resource));
        assertThat(ledger.count(resource)).isEqualTo(1);
    }

    @Test
    void aBackendOfAnotherUserIsNotEvicted() throws SQLException {
        String user = "other_" + ledger.database;
        ledger.run("CREATE ROLE " + user + " LOGIN PASSWORD 'secret'; GRANT fence_application TO " + user);
        JdbcFence fence = JdbcFence.on(
                ledger.server.dataSource(ledger.database, user, "secret"),
                ledger.settings.withSealWait(Duration.ofMillis(300)).withEvictAfter(Duration.ofMillis(100)));
        Lease next = ledger.lease(resource);
        ledger.fence().attach(lease.grant(), resource).write(c -> {
            String pid = Ledger.ask(c, "SELECT pg_backend_pid()");
            assertThatThrownBy(() -> fence.seal(next, resource))
                    .isInstanceOf(BusyException.class)
                    .hasMessageContaining("backend " + pid);
            Ledger.insert(c, resource);
        });
        assertThat(ledger.count(resource)).isEqualTo(1);
    }

    @Test
    void withoutTheSettingNobodyIsEvicted() throws SQLException {
        JdbcFence fence = JdbcFence.on(ledger.dataSource, ledger.settings.withSealWait(Duration.ofMillis(300)));
        Lease next = ledger.lease(resource);
        fence.attach(lease.grant(), resource).write(c -> {
            assertThatThrownBy(() -> fence.seal(next, resource)).isInstanceOf(BusyException.class);
            Ledger.insert(c, resource);
        });
        assertThat(ledger.count(resource)).isEqualTo(1);
    }

    @Test
    void noTransactionIsOpenWhileALeaseIsHeldAndAConnectionComesBackAsItCame() throws SQLException {
        try (HikariDataSource pool = pool(1, Duration.ofSeconds(5))) {
            JdbcFence fence = JdbcFence.on(pool, ledger.settings.withIsolation(Isolation.SERIALIZABLE));
            JdbcWriter writer = fence.seal(lease, resource);
            writer.write(c -> Ledger.insert(c, resource));
            writer.execute("INSERT INTO entry (text) VALUES (?)", resource);
            assertThatThrownBy(() -> writer.execute("INSERT INTO entry (text) VALUES (1 / ?)", 0))
                    .isInstanceOf(SQLException.class);
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.getAutoCommit()).isTrue();
                assertThat(connection.getNetworkTimeout()).isZero();
                assertThat(Ledger.ask(connection, "SHOW transaction_isolation")).isEqualTo("read committed");
                assertThat(Ledger.ask(connection, "SHOW idle_in_transaction_session_timeout"))
                        .isEqualTo("5s");
                assertThat(Ledger.ask(connection, "SHOW lock_timeout")).isEqualTo("0");
            }
            assertThat(ledger.ask("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                            + " AND state LIKE 'idle in transaction%'"))
                    .isEqualTo("0");
        }
    }
}
