package dev.fence.effects;

import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.SessionTiming;
import dev.fence.fixtures.InMemoryLeaseService;
import dev.fence.fixtures.InMemoryLeases;
import dev.fence.fixtures.PostgresServer;
import dev.fence.fixtures.VirtualTime;
import dev.fence.jdbc.JdbcFence;
import dev.fence.jdbc.JdbcFenceSettings;
import dev.fence.migrations.FenceMigrations;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/** A database of its own with a journal in it, and processes with leases that last as long as the test wants. */
final class JournalDatabase {

    static final String LEASE = "payouts/EU";

    private final PostgresServer server = PostgresServer.shared();
    private final String database = server.createDatabase();
    final DataSource dataSource = server.dataSource(database);
    final JdbcFence fence;
    final Effects effects;
    final EffectDesk desk;
    final VirtualTime time = new VirtualTime();
    private final InMemoryLeaseService service = new InMemoryLeaseService(
            "memory", time, new SessionTiming(Duration.ofSeconds(10), Duration.ofMillis(500), Duration.ZERO));

    JournalDatabase() {
        FenceMigrations.migrate(dataSource);
        // Not a third of what is left of the lease: by its virtual time that can be next to nothing.
        fence = JdbcFence.on(dataSource, JdbcFenceSettings.DEFAULTS.withLongestTransaction(Duration.ofSeconds(10)));
        effects = Effects.on(fence);
        desk = EffectDesk.on(dataSource);
    }

    InMemoryLeases process() {
        return service.connect();
    }

    /** A holder in a process of its own; its journal's guard is there. */
    Lease holder() throws InterruptedException {
        Lease lease = process().acquire(LEASE, Duration.ofSeconds(1));
        effects.create(lease);
        return lease;
    }

    /** The next holder after one that is paused: the lease of the first runs out. */
    Lease successor() throws InterruptedException {
        time.advance(Duration.ofSeconds(11));
        return holder();
    }

    /** Each in a transaction of its own. */
    void sql(String... statements) {
        try (Connection c = dataSource.getConnection();
                Statement statement = c.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new AssertionError(String.join("; ", statements), e);
        }
    }

    /** The SQLSTATE of the first that is refused, in one transaction that is rolled back; empty if none is. */
    String refusalOf(String... statements) throws SQLException {
        try (Connection c = dataSource.getConnection();
                Statement statement = c.createStatement()) {
            c.setAutoCommit(false);
            try {
                for (String sql : statements) {
                    statement.execute(sql);
                }
                return "";
            } catch (SQLException e) {
                return e.getSQLState();
            } finally {
                c.rollback();
            }
        }
    }

    String ask(String sql) throws SQLException {
        try (Connection c = dataSource.getConnection()) {
            return ask(c, sql);
        }
    }

    static String ask(Connection c, String sql) throws SQLException {
        try (Statement statement = c.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return String.valueOf(rows.getString(1));
        }
    }

    /** As arguments of a function in SQL: source, token, holder. */
    static String sql(Grant grant) {
        return "'" + grant.source() + "', " + grant.token() + ", '" + grant.holder() + "'";
    }

    /** Whether connections made from now on can write. */
    void readOnly(boolean yes) {
        sql(
                "SET default_transaction_read_only = off",
                "ALTER DATABASE " + database + " SET default_transaction_read_only = " + (yes ? "on" : "off"));
    }

    /** As if {@code column} had been written longer ago. */
    void age(String column, String by) {
        sql(
                "ALTER TABLE fence.effect DISABLE TRIGGER protect_row",
                "UPDATE fence.effect SET " + column + " = " + column + " - interval '" + by + "'",
                "ALTER TABLE fence.effect ENABLE ALWAYS TRIGGER protect_row");
    }

    EffectEntry entry(String businessKey) throws SQLException {
        return desk.show(new EffectKey(TestProvider.EFFECT, businessKey)).orElseThrow();
    }
}
