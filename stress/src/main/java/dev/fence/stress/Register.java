package dev.fence.stress;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * What is protected: a row with the id of its last write, the token of who wrote it, and the id that the writer had read before.
 * The rows' log is one chain of ids if nothing was lost.
 */
final class Register {

    static final String TABLE = "CREATE TABLE register (resource text PRIMARY KEY, token bigint NOT NULL,"
            + " last bigint NOT NULL, seen bigint NOT NULL)";

    static final String READ = "SELECT last FROM register WHERE resource = ?";

    static final String WRITE = "UPDATE register SET token = ?, last = ?, seen = ? WHERE resource = ?";

    private Register() {}

    static void create(Connection connection, String resource) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO register VALUES (?, 0, 0, 0)")) {
            statement.setString(1, resource);
            statement.executeUpdate();
        }
    }

    static long read(Connection connection, String resource) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(READ)) {
            statement.setString(1, resource);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    static void write(Connection connection, String resource, long token, long id, long seen) throws SQLException {
        if (update(connection, WRITE, token, id, seen, resource) != 1) {
            throw new SQLException("there is no register " + resource);
        }
    }

    /** Returns how many rows changed. */
    static int update(Connection connection, String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            return statement.executeUpdate();
        }
    }
}
