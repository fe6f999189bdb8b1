package dev.fence.jdbc;

import dev.fence.FenceEvents;
import dev.fence.FenceException;
import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.LeaseSettings;
import dev.fence.OutcomeUnknownException;
import dev.fence.SessionTiming;
import dev.fence.fixtures.InMemoryLeaseService;
import dev.fence.fixtures.InMemoryLeases;
import dev.fence.fixtures.PostgresServer;
import dev.fence.fixtures.VirtualTime;
import dev.fence.migrations.FenceMigrations;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A database of a test's own with a guard and a table to write to, and holders whose leases come from a service in memory.
 * A new holder of a name gets it because the service takes it from the old one and tells nobody: what every pause amounts to.
 */
final class Ledger {

    /** Long enough for every test: real and virtual time are not mixed. */
    private static final SessionTiming TIMING = SessionTiming.ofTtl(Duration.ofSeconds(30));

    final PostgresServer server;
    final String database;
    final PGSimpleDataSource dataSource;
    final InMemoryLeaseService service;
    final List<String> events = new CopyOnWriteArrayList<>();
    final JdbcFenceSettings settings = JdbcFenceSettings.DEFAULTS.withEvents(new Events());

    private Ledger(PostgresServer server, String database, InMemoryLeaseService service) {
        this.server = server;
        this.database = database;
        this.dataSource = server.dataSource(database);
        this.service = service;
    }

    private Ledger(PostgresServer server) throws SQLException {
        this(server, server.createDatabase(), new InMemoryLeaseService("test", new VirtualTime(), TIMING));
        FenceMigrations.migrate(dataSource);
        run("CREATE TABLE entry (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text NOT NULL)");
    }

    static Ledger create() throws SQLException {
        return new Ledger(PostgresServer.shared());
    }

    static Ledger on(PostgresServer server) throws SQLException {
        return new Ledger(server);
    }

    /** The same database by way of a proxy on that port of the loopback, without TLS. */
    PGSimpleDataSource through(int port) {
        PGSimpleDataSource through = server.dataSource(database);
        through.setURL(through.getURL().replaceFirst("//[^/]+/", "//127.0.0.1:" + port + "/"));
        through.setUser(server.user());
        through.setPassword(server.password());
        through.setSslmode("disable");
        return through;
    }

    /** The same database as another server has it, with the same leases. */
    Ledger movedTo(PostgresServer other) {
        return new Ledger(other, database, service);
    }

    JdbcFence fence() {
        return JdbcFence.on(dataSource, settings);
    }

    /** A name that no other test uses. */
    static String name() {
        return "r-" + UUID.randomUUID();
    }

    /** The lease of a new process, taken from whoever holds it, with a higher token than any before. */
    Lease lease(String name) {
        service.giveAway(name);
        InMemoryLeases leases = service.connect();
        return leases.tryAcquire(name, LeaseSettings.DEFAULTS).orElseThrow();
    }

    /** As {@link #lease}, with exactly this token. */
    Lease lease(String name, long token) {
        service.restoreTo(token - 1);
        return lease(name);
    }

    static void insert(Connection connection, String text) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO entry (text) VALUES (?)")) {
            statement.setString(1, text);
            statement.executeUpdate();
        }
    }

    static long update(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    List<String> entries() throws SQLException {
        return List.of(ask("SELECT coalesce(string_agg(text, ',' ORDER BY id), '') FROM entry")
                .split(","));
    }

    long count(String text) throws SQLException {
        return Long.parseLong(ask("SELECT count(*) FROM entry WHERE text = '" + text + "'"));
    }

    void run(String sql) throws SQLException {
        run(dataSource, sql);
    }

    String ask(String sql) throws SQLException {
        return ask(dataSource, sql);
    }

    static void run(DataSource dataSource, String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static String ask(DataSource dataSource, String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return ask(connection, sql);
        }
    }

    static String ask(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return String.valueOf(result.getString(1));
        }
    }

    private final class Events implements FenceEvents {
        @Override
        public void sealed(Grant grant, String resource) {
            events.add("sealed " + grant.token() + " " + resource);
        }

        @Override
        public void refused(Grant grant, String resource, FenceException refusal) {
            events.add("refused " + grant.token() + " " + resource + " "
                    + refusal.getClass().getSimpleName());
        }

        @Override
        public void unknown(Grant grant, String resource, OutcomeUnknownException outcome) {
            events.add("unknown " + grant.token() + " " + resource);
        }
    }
}
