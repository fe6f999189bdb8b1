package dev.fence.jdbc;

import dev.fence.FenceException;
import dev.fence.FencingToken;
import dev.fence.Grant;
import dev.fence.GuardMissingException;
import dev.fence.StaleTokenException;
import dev.fence.TokenSourceException;
import dev.fence.TokenSourceException.Problem;
import dev.fence.UnsupportedStoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The SQL about rows that carry their token. */
final class RowStatements {

    private final RowTable table;
    private final JdbcFenceSettings settings;
    private final String seen;
    private final String lock;
    private final String raise;
    private final String begin;
    private final String ours;

    RowStatements(RowTable table, String keyType, JdbcFenceSettings settings) {
        String schema = settings.schema();
        String isTheRow = " WHERE " + table.key() + " = CAST(? AS " + keyType + ")";
        String columns = table.token() + ", " + table.holder() + ", " + table.timeline();
        this.table = table;
        this.settings = settings;
        this.begin = "SELECT " + schema + ".begin_row_v1(?, ?); ";
        this.seen =
                "SELECT " + columns + ", " + schema + ".timeline_v1()" + traced() + " FROM " + table.table() + isTheRow;
        this.lock = settings.isolation()
                        .map(isolation -> "SET TRANSACTION ISOLATION LEVEL " + isolation.sql() + "; ")
                        .orElse("")
                + begin + seen + " FOR NO KEY UPDATE; SELECT " + schema + ".end_row_v1()";
        // Two spellings of one key would be two guards of one row.
        this.raise = "UPDATE " + table.table() + " SET " + table.token() + " = ?, " + table.holder() + " = ?, "
                + table.timeline() + " = " + schema + ".timeline_v1()" + isTheRow + " AND " + table.key()
                + "::text = ? RETURNING " + columns + ", " + table.timeline();
        this.ours = "\n" + isTheRow + " AND " + table.token() + " = ? AND " + table.holder() + " = ? AND "
                + table.timeline() + " = " + schema + ".timeline_v1()";
    }

    private String traced() {
        return settings.verification() == Verification.NONE ? "" : ", " + Trace.Transaction.columns(settings.schema());
    }

    /** Part of the seal, behind its raising the guard: copies the grant into the row, unless it is there. */
    void raise(Connection connection, Mandates mandates, String key) throws SQLException {
        try {
            look(connection, mandates, key);
            return; // a read: nobody but who seals this guard writes these columns
        } catch (FenceException e) {
            if (e instanceof UnsupportedStoreException) {
                throw e;
            }
        }
        Grant grant = mandates.firstGrant();
        try (PreparedStatement statement = connection.prepareStatement(raise)) {
            statement.setLong(1, grant.token().value());
            statement.setObject(2, grant.holder());
            statement.setString(3, key);
            statement.setString(4, key);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw missing(connection, mandates, key);
                }
                requireOurs(row, mandates); // a trigger can have made something else of it
            }
        }
    }

    private FenceException missing(Connection connection, Mandates mandates, String key) throws SQLException {
        String resource = mandates.firstResource();
        try (PreparedStatement statement = connection.prepareStatement(seen)) {
            statement.setString(1, key);
            try (ResultSet row = statement.executeQuery()) {
                return row.next()
                        ? new UnsupportedStoreException(
                                "resource \"" + resource
                                        + "\" does not spell its key as the database does, or somebody's"
                                        + " trigger has swallowed the seal of its row",
                                null)
                        : new GuardMissingException(resource, mandates.firstGrant(), null);
            }
        }
    }

    /** The first statement of a transaction of ours: takes the lock of the row and returns if the row is the writer's. */
    Trace.@Nullable Transaction lock(Connection connection, Mandates mandates, String key, Duration longestTransaction)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(lock)) {
            bindLimits(statement, longestTransaction);
            statement.setString(3, key);
            statement.execute();
            statement.getMoreResults(); // past the result of begin_row
            if (settings.isolation().isPresent()) {
                statement.getMoreResults();
            }
            try (ResultSet row = statement.getResultSet()) {
                if (!row.next()) {
                    throw new GuardMissingException(mandates.firstResource(), mandates.firstGrant(), null);
                }
                requireOurs(row, mandates);
                return settings.verification() == Verification.NONE ? null : Trace.Transaction.read(row, 5);
            }
        }
    }

    /** Returns if the row is the writer's, and tells why not. */
    void look(Connection connection, Mandates mandates, String key) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(seen)) {
            statement.setString(1, key);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw new GuardMissingException(mandates.firstResource(), mandates.firstGrant(), null);
                }
                requireOurs(row, mandates);
            }
        }
    }

    /** The columns of {@link #seen}: token, holder, timeline, and the timeline of the database. */
    private static void requireOurs(ResultSet row, Mandates mandates) throws SQLException {
        String resource = mandates.firstResource();
        Grant grant = mandates.firstGrant();
        long token = row.getLong(1);
        UUID holder = row.getObject(2, UUID.class);
        if (token <= 0 || holder == null) {
            throw new GuardMissingException(resource, grant, null);
        }
        if (token > grant.token().value()) {
            // Only seals of this guard write here, and a guard is bound to its source and lease name.
            Grant newest = new Grant(grant.source(), grant.leaseName(), new FencingToken(token), holder);
            throw new StaleTokenException(resource, grant, newest, null);
        }
        Problem problem = token < grant.token().value()
                ? Problem.NOT_SEALED
                : !holder.equals(grant.holder())
                        ? Problem.REUSED_TOKEN
                        : row.getLong(3) != row.getLong(4) ? Problem.HISTORY_LOST : null;
        if (problem != null) {
            throw new TokenSourceException(
                    problem,
                    resource,
                    grant,
                    "the row carries token " + token + ", holder " + holder + ", sealed on timeline " + row.getLong(3)
                            + " of the database, which continues on " + row.getLong(4),
                    null);
        }
    }

    /**
     * One message: the limits, and the update of the row under the writer's grant.
     *
     * @throws IllegalArgumentException if there is more in {@code assignments} than assignments to columns of the caller's
     */
    String update(String assignments, int parameters) {
        requireAssignments(assignments, parameters);
        // On a line of its own: the assignments can end in a comment. A second WHERE, or a parenthesis that is open, is
        // an
        // error of syntax.
        String update = begin + "UPDATE " + table.table() + " SET " + assignments + ours;
        return settings.isolation()
                .map(isolation -> "BEGIN ISOLATION LEVEL " + isolation.sql() + "; " + update + "; COMMIT")
                .orElse(update);
    }

    private void requireAssignments(String assignments, int parameters) {
        int placeholders = 0;
        SqlTokens tokens = new SqlTokens(assignments);
        for (SqlTokens.Kind kind = tokens.next(); kind != SqlTokens.Kind.END; kind = tokens.next()) {
            if (kind == SqlTokens.Kind.SEMICOLON) {
                throw refused(assignments, "it must be assignments alone");
            }
            placeholders += kind == SqlTokens.Kind.PLACEHOLDER ? 1 : 0;
        }
        String lower = assignments.toLowerCase(Locale.ROOT);
        for (String column : List.of(table.token(), table.holder(), table.timeline())) {
            if (lower.contains(column)) {
                throw refused(assignments, "column " + column + " is the fence's own");
            }
        }
        if (placeholders != parameters) {
            throw refused(assignments, "it has " + placeholders + " placeholders for " + parameters + " parameters");
        }
    }

    private static IllegalArgumentException refused(String assignments, String rule) {
        return new IllegalArgumentException("\"" + assignments + "\" cannot be set: " + rule);
    }

    int resultsBeforeUpdate() {
        return settings.isolation().isPresent() ? 2 : 1;
    }

    void bind(
            PreparedStatement statement,
            Mandates mandates,
            String key,
            Duration longestTransaction,
            @Nullable Object[] parameters)
            throws SQLException {
        bindLimits(statement, longestTransaction);
        int at = 3;
        for (Object parameter : parameters) {
            statement.setObject(at++, parameter);
        }
        statement.setString(at, key);
        statement.setLong(at + 1, mandates.firstGrant().token().value());
        statement.setObject(at + 2, mandates.firstGrant().holder());
    }

    private void bindLimits(PreparedStatement statement, Duration longestTransaction) throws SQLException {
        statement.setInt(1, GuardFunctions.millis(settings.checkWait()));
        statement.setInt(2, GuardFunctions.millis(longestTransaction));
    }
}
