package dev.fence.stress;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.fence.Lease;
import dev.fence.LeaseSettings;
import dev.fence.SessionTiming;
import dev.fence.fixtures.Direction;
import dev.fence.fixtures.InMemoryLeaseService;
import dev.fence.fixtures.InMemoryLeases;
import dev.fence.fixtures.PostgresServer;
import dev.fence.fixtures.TcpProxy;
import dev.fence.fixtures.VirtualTime;
import dev.fence.jdbc.Isolation;
import dev.fence.jdbc.JdbcFence;
import dev.fence.jdbc.JdbcFenceSettings;
import dev.fence.jdbc.JoinedTransaction;
import dev.fence.jdbc.RowFence;
import dev.fence.jdbc.RowTable;
import dev.fence.migrations.FenceMigrations;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A PostgreSQL of the race's own, whose log can be read, and holders whose leases are taken from them without a word. For each
 * isolation level there is an {@link Site#at arena}.
 */
final class Arena implements AutoCloseable {

    private static final String HOST = "127.0.0.1";

    /** A seal is two round trips, so that it keeps its lock for as long. */
    private static final Duration SLOW = Duration.ofMillis(2);

    private static final JdbcFenceSettings SETTINGS = JdbcFenceSettings.DEFAULTS.withSealWait(Duration.ofSeconds(30));

    private final Site site;
    private final HikariDataSource pool;
    private final HikariDataSource slowPool;
    private final JdbcFence fence;
    private final JdbcFence slowFence;
    private final JdbcFence levelFence;

    private Arena(Site site, Level level) {
        this.site = site;
        this.pool = site.pool(site.server.port(), level, 40);
        this.slowPool = site.pool(site.slow.port(), level, 20);
        this.fence = JdbcFence.on(pool, SETTINGS);
        this.slowFence = JdbcFence.on(slowPool, SETTINGS);
        this.levelFence = JdbcFence.on(pool, SETTINGS.withIsolation(Isolation.valueOf(level.name())));
    }

    /** What all arenas share. */
    static final class Site implements AutoCloseable {

        private final PostgresServer server =
                PostgresServer.startNative("wal_level=logical", "max_wal_size=4GB", "deadlock_timeout=100ms");
        private final String database = server.createDatabase();
        private final TcpProxy slow = TcpProxy.to(HOST, server.port());
        private final InMemoryLeaseService service =
                new InMemoryLeaseService("stress", new VirtualTime(), SessionTiming.ofTtl(Duration.ofSeconds(30)));
        private final InMemoryLeases leases = service.connect();
        private final Map<Level, Arena> arenas = new EnumMap<>(Level.class);
        private final Witness witness;

        Site() throws SQLException {
            slow.delay(Direction.TO_SERVER, SLOW);
            PGSimpleDataSource dataSource = server.dataSource(database);
            FenceMigrations.migrate(dataSource);
            try (Connection connection = dataSource.getConnection();
                    Statement statement = connection.createStatement()) {
                for (String sql : List.of(Register.TABLE, Register.PROTECTED_TABLE, BrokenDesigns.RAISE_GUARD)) {
                    statement.execute(sql);
                }
            }
            witness = Witness.of(dataSource);
        }

        Arena at(Level level) {
            return arenas.computeIfAbsent(level, each -> new Arena(this, each));
        }

        private HikariDataSource pool(int port, Level level, int size) {
            PGSimpleDataSource dataSource = new PGSimpleDataSource();
            dataSource.setServerNames(new String[] {HOST});
            dataSource.setPortNumbers(new int[] {port});
            dataSource.setDatabaseName(database);
            dataSource.setUser(server.user());
            dataSource.setPassword(server.password());
            dataSource.setOptions(
                    "-c default_transaction_isolation=" + level.sql().replace(" ", "\\ "));
            HikariConfig config = new HikariConfig();
            config.setDataSource(dataSource);
            config.setMaximumPoolSize(size);
            config.setMinimumIdle(1);
            return new HikariDataSource(config);
        }

        @Override
        public void close() {
            arenas.values().forEach(Arena::close);
            leases.close();
            slow.close();
            server.close();
        }
    }

    JdbcFence fence() {
        return fence;
    }

    /** The same, a long way from the database. */
    JdbcFence slowFence() {
        return slowFence;
    }

    /** Says the isolation level itself, where {@link #fence} leaves it to the connection. */
    JdbcFence levelFence() {
        return levelFence;
    }

    /** The registers as rows that carry their token. */
    static RowFence rows(JdbcFence fence) {
        return RowFence.over(fence, RowTable.of("register", "resource"));
    }

    /** What the row of a resource is called as a resource. */
    static String row(String resource) {
        return "register/" + resource;
    }

    Witness witness() {
        return site.witness;
    }

    /** The second resource that belongs to a resource. */
    static String other(String resource) {
        return resource + "/other";
    }

    /** A resource that nobody else uses, and the other one, with guards and registers. */
    String newResource(String kind) throws Exception {
        String resource = kind + "/" + UUID.randomUUID();
        Lease lease = nextLease(resource);
        for (String each : List.of(resource, other(resource))) {
            fence.create(lease, each);
            fence.seal(lease, each).write(connection -> Register.create(connection, "protected_register", each));
            inTransaction(connection -> {
                Register.create(connection, "register", each);
                connection.commit();
            });
            rows(fence).create(lease, row(each));
        }
        return resource;
    }

    /** The lease of a new holder, with a higher token than any before. The former holder learns nothing. */
    Lease nextLease(String resource) {
        site.service.giveAway(resource);
        return site.leases.tryAcquire(resource, LeaseSettings.DEFAULTS).orElseThrow();
    }

    interface Body {
        void run(Connection connection) throws Exception;
    }

    /** What the body has not committed is rolled back. */
    void inTransaction(Body body) throws Exception {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            try {
                body.run(connection);
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }
    }

    static void commit(Connection connection, JoinedTransaction joined) {
        try {
            connection.commit();
        } catch (SQLException e) {
            throw joined.commitFailed(e);
        }
    }

    @Override
    public void close() {
        pool.close();
        slowPool.close();
    }
}
