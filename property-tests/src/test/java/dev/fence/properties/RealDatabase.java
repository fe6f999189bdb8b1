package dev.fence.properties;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.fence.FencingToken;
import dev.fence.Grant;
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
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A real PostgreSQL with the real fence before it, for thousands of timelines: each has a resource of its own. */
final class RealDatabase implements AutoCloseable {

    private static final int MOST_CONNECTIONS = 8;

    private final HikariDataSource dataSource;
    private final JdbcFence fence;
    private final AtomicInteger resources = new AtomicInteger();

    /** @param isolation the isolation level of its connections, as a driver knows it */
    RealDatabase(String isolation, JdbcFenceSettings settings) {
        PostgresServer server = PostgresServer.shared();
        HikariConfig config = new HikariConfig();
        config.setDataSource(server.dataSource(server.createDatabase()));
        config.setMaximumPoolSize(MOST_CONNECTIONS);
        config.setMinimumIdle(1);
        config.setTransactionIsolation(isolation);
        // With a bug planted, two bodies can want one row, and the one that has it goes on when its event comes: never.
        config.setConnectionInitSql("SET lock_timeout = '1s'");
        dataSource = new HikariDataSource(config);
        FenceMigrations.migrate(dataSource);
        run("CREATE TABLE register (resource text PRIMARY KEY, number bigint NOT NULL)");
        run("CREATE TABLE landed (id bigserial PRIMARY KEY, resource text NOT NULL, number bigint NOT NULL)");
        run("CREATE INDEX ON landed (resource)");
        fence = JdbcFence.on(dataSource, settings);
    }

    Subject newSubject() {
        String resource = "ledger/" + resources.incrementAndGet();
        update("INSERT INTO register VALUES (?, 0)", resource);
        return new RealSubject(resource);
    }

    /** Plants a bug: replaces a piece of one of the guard's functions. */
    void plant(String function, String piece, String instead) {
        String sql =
                "SELECT pg_get_functiondef(p.oid) FROM pg_proc p WHERE pronamespace = 'fence'::regnamespace AND proname = ?";
        String definition = ask(sql, function);
        if (!definition.contains(piece)) {
            throw new IllegalArgumentException("function " + function + " has no piece " + piece);
        }
        run(definition.replace(piece, instead));
    }

    @Override
    public void close() {
        dataSource.close();
    }

    private final class RealSubject implements Subject {

        private final String resource;
        private final RegisterFence<Connection> fence;

        RealSubject(String resource) {
            this.resource = resource;
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
            return Script.FENCED;
        }

        @Override
        public Sight look() {
            try (Connection c = dataSource.getConnection()) {
                return new Sight(guard(c, resource), landed(c, resource));
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** The value is a row, as applications have them; the log of what took effect is written in the same transaction. */
    private record Row(Connection connection, String resource) implements Register {

        @Override
        public long read() {
            try (PreparedStatement select =
                    connection.prepareStatement("SELECT number FROM register WHERE resource = ?")) {
                select.setString(1, resource);
                try (ResultSet rows = select.executeQuery()) {
                    rows.next();
                    return rows.getLong(1);
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void write(Value value) {
            try (PreparedStatement update =
                            connection.prepareStatement("UPDATE register SET number = ? WHERE resource = ?");
                    PreparedStatement insert =
                            connection.prepareStatement("INSERT INTO landed (number, resource) VALUES (?, ?)")) {
                for (PreparedStatement statement : List.of(update, insert)) {
                    statement.setLong(1, value.number());
                    statement.setString(2, resource);
                    statement.executeUpdate();
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static @Nullable Grant guard(Connection c, String resource) throws SQLException {
        try (PreparedStatement select =
                c.prepareStatement("SELECT source, lease_name, token, holder FROM fence.guard WHERE resource = ?")) {
            select.setString(1, resource);
            try (ResultSet rows = select.executeQuery()) {
                return rows.next()
                        ? new Grant(
                                rows.getString(1),
                                rows.getString(2),
                                new FencingToken(rows.getLong(3)),
                                rows.getObject(4, UUID.class))
                        : null;
            }
        }
    }

    private static List<Long> landed(Connection c, String resource) throws SQLException {
        try (PreparedStatement select =
                c.prepareStatement("SELECT number FROM landed WHERE resource = ? ORDER BY id")) {
            select.setString(1, resource);
            List<Long> landed = new ArrayList<>();
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    landed.add(rows.getLong(1));
                }
            }
            return List.copyOf(landed);
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

    private void update(String sql, String resource) {
        try (Connection c = dataSource.getConnection();
                PreparedStatement statement = c.prepareStatement(sql)) {
            statement.setString(1, resource);
            statement.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}
