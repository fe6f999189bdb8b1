package dev.fence.jdbc;

import dev.fence.Grant;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/** The guard's functions of version 1, as the migrations made them. Their rules stand in the SQL, not here. */
final class GuardFunctions {

    // At any other level a change is refused; as a statement of the transaction, since the driver's method is a
    // session's.
    private static final String AT_READ_COMMITTED = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED; ";

    private final String create;
    private final String seal;
    private final String check;

    GuardFunctions(String schema) {
        create = AT_READ_COMMITTED + "SELECT " + schema + ".create_v1(?, ?, ?, ?, ?, ?, ?)";
        seal = AT_READ_COMMITTED + "SELECT " + schema + ".seal_v1(?, ?, ?, ?, ?, ?, ?, ?)";
        check = "SELECT " + schema + ".check_v1(?, ?, ?, ?, ?, ?, ?)";
    }

    /** Creates the guard; returns whether there was none before. */
    boolean create(Connection connection, String resource, Grant grant, String label, Duration wait)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(create)) {
            bind(statement, resource, grant);
            statement.setString(6, label);
            statement.setInt(7, millis(wait));
            return answer(statement);
        }
    }

    /**
     * Raises the guard; returns false if it carried the grant already.
     *
     * @param confirmed whether the lease service confirmed the lease after a change of timeline was seen
     */
    boolean seal(Connection connection, String resource, Grant grant, String label, Duration wait, boolean confirmed)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(seal)) {
            bind(statement, resource, grant);
            statement.setString(6, label);
            statement.setInt(7, millis(wait));
            statement.setBoolean(8, confirmed);
            return answer(statement);
        }
    }

    /** Returns if the transaction may write under the grant; BEGIN and the local settings travel with it, in one trip. */
    void check(Connection connection, String resource, Grant grant, Duration wait, Duration longestTransaction)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(check)) {
            bind(statement, resource, grant);
            statement.setInt(6, millis(wait));
            statement.setInt(7, millis(longestTransaction));
            statement.execute();
        }
    }

    private static void bind(PreparedStatement statement, String resource, Grant grant) throws SQLException {
        statement.setString(1, resource);
        statement.setString(2, grant.source());
        statement.setString(3, grant.leaseName());
        statement.setLong(4, grant.token().value());
        statement.setObject(5, grant.holder());
    }

    private static boolean answer(PreparedStatement statement) throws SQLException {
        statement.execute();
        statement.getMoreResults(); // past the result of SET TRANSACTION
        try (ResultSet result = statement.getResultSet()) {
            result.next();
            return result.getBoolean(1);
        }
    }

    /** At least 1: to PostgreSQL, 0 ms is no bound at all. */
    private static int millis(Duration duration) {
        return Math.toIntExact(Math.max(1, duration.toMillis()));
    }
}
