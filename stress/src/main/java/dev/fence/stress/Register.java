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

    /** The last columns are for the mode in which a row carries its token. */
    static final String TABLE = "CREATE TABLE register (resource text PRIMARY KEY, token bigint NOT NULL,"
            + " last bigint NOT NULL, seen bigint NOT NULL, fence_token bigint, fence_holder uuid, fence_timeline bigint)";

    /** Its like, on which the database refuses what is not fenced. */
    static final String PROTECTED_TABLE = "CREATE TABLE protected_register (LIKE register INCLUDING ALL);"
            + " SELECT fence.protect_rows_v1('protected_register', '', 'resource', false)";

    static final String READ = "SELECT last FROM register WHERE resource = ?";

    static final String WRITE = "UPDATE register SET token = ?, last = ?, seen = ? WHERE resource = ?";

    private Register() {}

    /** The same statement for the protected table. */
    static String onProtected(String sql) {
        return sql.replace("register", "protected_register");
    }

    static void create(Connection connection, String table, String resource) throws SQLException {
        update(connection, "INSERT INTO " + table + " VALUES (?, 0, 0, 0)", resource);
    }

    static long read(Connection connection, String resource) throws SQLException {
        return read(connection, READ, resource);
    }

    static long read(Connection connection, String sql, String resource) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
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
