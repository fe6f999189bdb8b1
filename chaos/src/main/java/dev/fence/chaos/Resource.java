package dev.fence.chaos;

import dev.fence.Fence;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * A list in which each entry names the one before it, as its writer has read it in an earlier transaction. Nothing but the
 * fence keeps two writers from naming the same one.
 */
record Resource(Fence<Connection> fence, String name) {

    private static final String TABLE = """
            CREATE TABLE IF NOT EXISTS chaos_entry (
              id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
              resource    text NOT NULL,
              predecessor bigint NOT NULL,
              token       bigint NOT NULL,
              write_id    text NOT NULL
            )
            """;

    static void createTable(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(TABLE);
        }
    }

    /** The id of the newest entry, or zero. */
    long head(Connection connection) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("SELECT coalesce(max(id), 0) FROM chaos_entry WHERE resource = ?")) {
            query.setString(1, name);
            try (ResultSet rows = query.executeQuery()) {
                rows.next();
                return rows.getLong(1);
            }
        }
    }

    /** The id of the new entry. */
    long append(Connection connection, long predecessor, long token, String writeId) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO chaos_entry (resource, predecessor, token, write_id) VALUES (?, ?, ?, ?) RETURNING id")) {
            insert.setString(1, name);
            insert.setLong(2, predecessor);
            insert.setLong(3, token);
            insert.setString(4, writeId);
            try (ResultSet rows = insert.executeQuery()) {
                rows.next();
                return rows.getLong(1);
            }
        }
    }

    /** Notes every entry, in the order of ids. */
    void read(DataSource database, Consumer<Event> history) throws SQLException {
        List<Event> entries = new ArrayList<>();
        try (Connection connection = database.getConnection();
                PreparedStatement query = connection.prepareStatement(
                        "SELECT id, predecessor, token, write_id FROM chaos_entry WHERE resource = ? ORDER BY id")) {
            query.setString(1, name);
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    String detail = rows.getLong(1) + " " + rows.getLong(2) + " " + rows.getString(4);
                    entries.add(new Event(System.nanoTime(), "database", What.ROW, name, rows.getLong(3), detail));
                }
            }
        }
        entries.forEach(history);
    }
}
