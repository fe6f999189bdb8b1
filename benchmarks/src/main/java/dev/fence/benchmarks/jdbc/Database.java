package dev.fence.benchmarks.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.fence.Lease;
import dev.fence.LeaseSettings;
import dev.fence.SessionTiming;
import dev.fence.fixtures.CountingProxy;
import dev.fence.fixtures.Direction;
import dev.fence.fixtures.InMemoryLeaseService;
import dev.fence.fixtures.PostgresServer;
import dev.fence.fixtures.TcpProxy;
import dev.fence.fixtures.VirtualTime;
import dev.fence.migrations.FenceMigrations;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.postgresql.ds.PGSimpleDataSource;

/** A durable PostgreSQL with accounts and guards, reached directly, with a delay, or past a counter of round trips. */
final class Database implements AutoCloseable {

    private static final String HOST = "127.0.0.1";

    /** No checkpoint and no vacuum may fall into one design's turn, nor their WAL. */
    private static final String[] QUIET = {"autovacuum=off", "checkpoint_timeout=1h", "max_wal_size=8GB"};

    private final PostgresServer server = PostgresServer.startNative(QUIET);
    private final String database = server.createDatabase();
    private final TcpProxy slow = TcpProxy.to(HOST, server.port());
    private final CountingProxy counting = CountingProxy.to(server.port());
    private final Lease lease;

    Database() throws SQLException {
        FenceMigrations.migrate(server.dataSource(database));
        run("CREATE TABLE account (id bigint PRIMARY KEY, balance bigint NOT NULL)");
        run("INSERT INTO account SELECT n, 0 FROM generate_series(0, " + (Scenario.mostAccounts() - 1) + ") n");
        for (String like : List.of("row_account", "protected_account", "protected_ledger")) {
            run("CREATE TABLE " + like + " (LIKE account INCLUDING ALL)");
            run("INSERT INTO " + like + " SELECT * FROM account");
        }
        run("ALTER TABLE row_account ADD COLUMN fence_token bigint, ADD COLUMN fence_holder uuid,"
                + " ADD COLUMN fence_timeline bigint");
        run(Alternatives.TABLES);
        lease = new InMemoryLeaseService("bench", new VirtualTime(), SessionTiming.ofTtl(Duration.ofSeconds(30)))
                .connect()
                .tryAcquire("bench", LeaseSettings.DEFAULTS)
                .orElseThrow();
    }

    /** Held for as long as the run lasts; its clock stands still. */
    Lease lease() {
        return lease;
    }

    /** A pool with a connection for each thread. The delay is the whole round trip's. */
    HikariDataSource pool(Scenario scenario) {
        slow.delay(Direction.TO_SERVER, Duration.ofNanos(scenario.delayMicros() * 1000L));
        int port = scenario.delayMicros() == 0 ? server.port() : slow.port();
        return pool(port, scenario.threads(), scenario.synchronousCommit());
    }

    /** A pool of one connection whose round trips are counted. */
    HikariDataSource countedPool() {
        return pool(counting.port(), 1, true);
    }

    private HikariDataSource pool(int port, int size, boolean synchronousCommit) {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setServerNames(new String[] {HOST});
        dataSource.setPortNumbers(new int[] {port});
        dataSource.setDatabaseName(database);
        dataSource.setUser(server.user());
        dataSource.setPassword(server.password());
        dataSource.setOptions("-c synchronous_commit=" + (synchronousCommit ? "on" : "off"));
        HikariConfig config = new HikariConfig();
        config.setDataSource(dataSource);
        config.setMaximumPoolSize(size);
        return new HikariDataSource(config);
    }

    int roundTrips() {
        return counting.roundTrips();
    }

    long walBytes() throws SQLException {
        return ask("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn");
    }

    /** Whether the server makes commits durable: what is measured without is worth nothing. */
    void requireDurable() throws SQLException {
        if (ask("SELECT count(*) FROM pg_settings WHERE name IN ('fsync', 'full_page_writes') AND setting = 'on'")
                != 2) {
            throw new IllegalStateException("the server does not sync");
        }
    }

    private long ask(String sql) throws SQLException {
        try (Connection connection = server.dataSource(database).getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getLong(1);
        }
    }

    private void run(String sql) throws SQLException {
        try (Connection connection = server.dataSource(database).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() {
        slow.close();
        counting.close();
        server.close();
    }
}
