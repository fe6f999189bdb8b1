package dev.fence.properties;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.fence.Fence;
import dev.fence.fixtures.PostgresServer;
import dev.fence.jdbc.JdbcFence;
import dev.fence.jdbc.JdbcFenceSettings;
import dev.fence.migrations.FenceMigrations;
import dev.fence.properties.Subject.Sight;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A real PostgreSQL with the real fence before it, for thousands of timelines: each has a resource of its own. */
final class RealDatabase implements AutoCloseable {

    private static final int MOST_CONNECTIONS = 8;

    /** Virtual time can leave a lease with less than a transaction takes in real time. A body that stands is not waited for long. */
    private static final JdbcFenceSettings FOR_TIMELINES = JdbcFenceSettings.DEFAULTS
            .withLongestTransaction(Duration.ofSeconds(10))
            .withSealWait(Duration.ofMillis(200));

    private final String name;
    private final HikariDataSource dataSource;
    private final JdbcFence fence;
    private final AtomicInteger resources = new AtomicInteger();

    RealDatabase(Isolation isolation) {
        this(Subjects.name(isolation), isolation, FOR_TIMELINES);
    }

    static RealDatabase with(PlantedBug bug) {
        RealDatabase database = new RealDatabase(Subjects.name(bug), Isolation.READ_COMMITTED, FOR_TIMELINES);
        database.plant(bug);
        return database;
    }

    /** @param name of its subjects */
    RealDatabase(String name, Isolation isolation, JdbcFenceSettings settings) {
        this.name = name;
        PostgresServer server = PostgresServer.shared();
        HikariConfig config = new HikariConfig();
        config.setDataSource(server.dataSource(server.createDatabase()));
        config.setMaximumPoolSize(MOST_CONNECTIONS);
        config.setMinimumIdle(1);
        config.setTransactionIsolation(isolation.ofDriver());
        // With a bug planted, two bodies can want one row, and the one that has it goes on when its event comes: never.
        config.setConnectionInitSql("SET lock_timeout = '1s'");
        dataSource = new HikariDataSource(config);
        FenceMigrations.migrate(dataSource);
        Row.createTables(dataSource);
        fence = JdbcFence.on(dataSource, settings);
    }

    Subject newSubject() {
        String resource = "ledger/" + resources.incrementAndGet();
        Row.create(dataSource, resource);
        return new RealSubject(resource, false);
    }

    /** A subject that takes the database with it when it is closed. */
    Subject onlySubject() {
        Row.create(dataSource, "ledger");
        return new RealSubject("ledger", true);
    }

    /** The same database without the fence. */
    Fence<Register> plainFence() {
        return new PlainFence(resource -> new PlainRow(dataSource, resource));
    }

    /** Replaces a piece of one of the guard's functions. */
    private void plant(PlantedBug bug) {
        String sql =
                "SELECT pg_get_functiondef(p.oid) FROM pg_proc p WHERE pronamespace = 'fence'::regnamespace AND proname = ?";
        String definition = ask(sql, bug.function);
        if (!definition.contains(bug.piece)) {
            throw new IllegalArgumentException("function " + bug.function + " has no piece " + bug.piece);
        }
        run(definition.replace(bug.piece, bug.instead));
    }

    @Override
    public void close() {
        dataSource.close();
    }

    private final class RealSubject implements Subject {

        private final String resource;
        private final boolean only;
        private final RegisterFence<Connection> fence;

        RealSubject(String resource, boolean only) {
            this.resource = resource;
            this.only = only;
            this.fence = new RegisterFence<>(RealDatabase.this.fence, c -> new Row(c, resource));
        }

        @Override
        public RegisterFence<Connection> fence() {
            return fence;
        }

        @Override
        public String resource() {
            return resource;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public String where() {
            return "on PostgreSQL";
        }

        @Override
        public Sight look() {
            return Row.look(dataSource, resource);
        }

        @Override
        public void close() {
            if (only) {
                RealDatabase.this.close();
            }
        }
    }

    private String ask(String sql, String parameter) {
        try (Connection c = dataSource.getConnection();
                PreparedStatement select = c.prepareStatement(sql)) {
            select.setString(1, parameter);
            try (ResultSet rows = select.executeQuery()) {
                rows.next();
                return rows.getString(1);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private void run(String sql) {
        try (Connection c = dataSource.getConnection();
                Statement statement = c.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}
