package dev.fence.properties;

import dev.fence.FencingToken;
import dev.fence.Grant;
import dev.fence.properties.Subject.Sight;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The value is a row, as applications have them; the log of what took effect is written in the same transaction. */
record Row(Connection connection, String resource) implements Register {

    @Override
    public long read() {
        try (PreparedStatement select = connection.prepareStatement("SELECT number FROM register WHERE resource = ?")) {
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

    static void createTables(DataSource administrator) {
        execute(administrator, "CREATE TABLE register (resource text PRIMARY KEY, number bigint NOT NULL)");
        execute(
                administrator,
                "CREATE TABLE landed (id bigserial PRIMARY KEY, resource text NOT NULL, number bigint NOT NULL)");
        execute(administrator, "CREATE INDEX ON landed (resource)");
    }

    static void create(DataSource administrator, String resource) {
        try (Connection c = administrator.getConnection();
                PreparedStatement insert = c.prepareStatement("INSERT INTO register VALUES (?, 0)")) {
            insert.setString(1, resource);
            insert.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Past the fence. */
    static Sight look(DataSource administrator, String resource) {
        try (Connection c = administrator.getConnection()) {
            return new Sight(guard(c, resource), landed(c, resource));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    static void execute(DataSource administrator, String sql) {
        try (Connection c = administrator.getConnection();
                Statement statement = c.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
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
}
