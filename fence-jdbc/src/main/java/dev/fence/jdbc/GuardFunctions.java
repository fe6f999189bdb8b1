package dev.fence.jdbc;

import dev.fence.Grant;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The guard's functions that change it, as the migrations made them. Their rules stand in the SQL, not here. */
final class GuardFunctions {

    // At any other level a change is refused; as a statement of the transaction, since the driver's method is a
    // session's.
    static final String AT_READ_COMMITTED = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED; ";

    /** The key that {@code lock_key} makes of a resource; an application may not call that function. */
    static final String LOCK_KEY = "hashtextextended(resource COLLATE \"C\", 439788397413)";

    // Several guards are locked in the order of their keys: names sort otherwise, and two transactions that take two
    // locks
    // in opposite order wait for each other. The sorted subquery is not merged into the outer one, whose functions are
    // called row by row; each call sees what was committed before it, since they are VOLATILE.
    static final String IN_LOCK_ORDER =
            " FROM (SELECT * FROM unnest(?::text[], ?::text[], ?::text[], ?::int8[], ?::uuid[]) AS one (resource, source, lease_name, token, holder) ORDER BY "
                    + LOCK_KEY + ") AS each";

    static final String EACH = "(resource, source, lease_name, token, holder, ";

    private final String timeline;
    private final String create;
    private final String seal;
    private final String evict;

    GuardFunctions(String schema) {
        timeline = "SELECT " + schema + ".timeline_v1()";
        create = AT_READ_COMMITTED + "SELECT " + schema + ".create_v1(?, ?, ?, ?, ?, ?, ?, ?)";
        evict = "SELECT pg_terminate_backend(pid) FROM unnest(?::text[]) AS one (resource), " + schema
                + ".blockers_v1(resource) AS pid";
        seal = AT_READ_COMMITTED + "SELECT resource, " + schema + ".seal_v1" + EACH + "?, ?, ?)" + IN_LOCK_ORDER;
    }

    /** The history that the database continues, to be read before a lease is confirmed on it. */
    long timeline(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(timeline);
                ResultSet result = statement.executeQuery()) {
            result.next();
            return result.getLong(1);
        }
    }

    /**
     * Creates the guard; returns whether there was none before.
     *
     * @param confirmedOn the timeline that was read before the lease service confirmed the lease
     */
    boolean create(Connection connection, String resource, Grant grant, String label, Duration wait, long confirmedOn)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(create)) {
            bind(statement, resource, grant);
            statement.setString(6, label);
            statement.setInt(7, millis(wait));
            statement.setLong(8, confirmedOn);
            try (ResultSet created = pastTheLevel(statement)) {
                created.next();
                return created.getBoolean(1);
            }
        }
    }

    /**
     * Raises the guards of all resources, or none; returns those that did not carry their grant already.
     *
     * @param confirmedOn the timeline that was read before the lease service confirmed the lease; null if it was not asked
     */
    List<String> seal(Connection connection, Mandates mandates, String label, Duration wait, @Nullable Long confirmedOn)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(seal)) {
            statement.setString(1, label);
            statement.setInt(2, millis(wait));
            statement.setObject(3, confirmedOn, Types.BIGINT);
            bindEach(connection, statement, 4, mandates);
            boundAllWaits(statement, mandates, wait);
            List<String> raised = new ArrayList<>();
            try (ResultSet sealed = pastTheLevel(statement)) {
                while (sealed.next()) {
                    if (sealed.getBoolean(2)) {
                        raised.add(sealed.getString(1));
                    }
                }
            }
            return raised;
        }
    }

    /** Ends the backends of our own database user that have one of the locks. Whose transaction is over by then may be hit, too. */
    void evict(Connection connection, Mandates mandates) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(evict)) {
            setArray(connection, statement, 1, "text", mandates.resources().toArray());
            statement.execute();
        }
    }

    static void bind(PreparedStatement statement, String resource, Grant grant) throws SQLException {
        statement.setString(1, resource);
        statement.setString(2, grant.source());
        statement.setString(3, grant.leaseName());
        statement.setLong(4, grant.token().value());
        statement.setObject(5, grant.holder());
    }

    static void bindEach(Connection connection, PreparedStatement statement, int from, Mandates mandates)
            throws SQLException {
        List<String> resources = mandates.resources();
        Function<Function<Grant, Object>, Object[]> column =
                of -> resources.stream().map(mandates::grant).map(of).toArray();
        setArray(connection, statement, from, "text", resources.toArray());
        setArray(connection, statement, from + 1, "text", column.apply(Grant::source));
        setArray(connection, statement, from + 2, "text", column.apply(Grant::leaseName));
        setArray(
                connection,
                statement,
                from + 3,
                "int8",
                column.apply(grant -> grant.token().value()));
        setArray(connection, statement, from + 4, "uuid", column.apply(Grant::holder));
    }

    private static void setArray(
            Connection connection, PreparedStatement statement, int at, String type, Object[] elements)
            throws SQLException {
        Array array = connection.createArrayOf(type, elements);
        statement.setArray(at, array);
        array.free();
    }

    /** Each lock is waited for with the bound of the function; a thousand of them must not add up. */
    static void boundAllWaits(PreparedStatement statement, Mandates mandates, Duration wait) throws SQLException {
        if (mandates.resources().size() > 1) {
            statement.setQueryTimeout(Math.toIntExact(wait.toSeconds() + 1));
        }
    }

    static ResultSet pastTheLevel(PreparedStatement statement) throws SQLException {
        statement.execute();
        statement.getMoreResults(); // past the result of SET TRANSACTION
        return statement.getResultSet();
    }

    /** At least 1: to PostgreSQL, 0 ms is no bound at all. */
    static int millis(Duration duration) {
        return Math.toIntExact(Math.max(1, duration.toMillis()));
    }
}
