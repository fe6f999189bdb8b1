package dev.fence.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The check of one guard or of several, as statements that something travels with. */
final class GuardCheck {

    /** For one resource and for several alike. */
    private static final int CHECK_PARAMETERS = 7;

    private static final int RECORD_PARAMETERS = 2;

    private final String one;
    private final String each;
    private final String ofEach;
    private final String trace;
    private final String record;
    private final JdbcFenceSettings settings;

    GuardCheck(JdbcFenceSettings settings) {
        String check = settings.schema() + ".check_v1";
        this.one = "SELECT " + check + "(?, ?, ?, ?, ?, ?, ?)";
        this.each = "SELECT " + check + GuardFunctions.EACH + "?, ?)";
        this.ofEach = GuardFunctions.IN_LOCK_ORDER;
        this.trace = ", " + Trace.Transaction.columns(settings.schema());
        this.record = settings.schema() + ".record_v1(?, ?)";
        this.settings = settings;
    }

    /** The first statement of a transaction of ours: BEGIN, the level and the local settings travel with it, in one trip. */
    Trace.@Nullable Transaction begin(Connection connection, Mandates mandates, Duration longestTransaction)
            throws SQLException {
        boolean traced = settings.verification() != Verification.NONE;
        String level = settings.isolation()
                .map(isolation -> "SET TRANSACTION ISOLATION LEVEL " + isolation.sql() + "; ")
                .orElse("");
        return check(connection, level, mandates, Optional.of(longestTransaction), traced);
    }

    /** A check in a transaction of somebody else's, whose time-outs are left as they are. */
    Trace.@Nullable Transaction join(Connection connection, Mandates mandates, boolean aboutToCommit)
            throws SQLException {
        boolean traced = aboutToCommit && settings.verification() != Verification.NONE;
        return check(connection, "", mandates, Optional.empty(), traced);
    }

    private Trace.@Nullable Transaction check(
            Connection connection,
            String level,
            Mandates mandates,
            Optional<Duration> longestTransaction,
            boolean traced)
            throws SQLException {
        String columns = traced ? trace : "";
        String check = isOne(mandates) ? one + columns : each + columns + ofEach;
        try (PreparedStatement statement = connection.prepareStatement(level + check)) {
            bind(connection, statement, mandates, longestTransaction);
            GuardFunctions.boundAllWaits(statement, mandates, settings.checkWait());
            statement.execute();
            if (!traced) {
                return null;
            }
            if (!level.isEmpty()) {
                statement.getMoreResults(); // past the result of SET TRANSACTION
            }
            try (ResultSet row = statement.getResultSet()) {
                row.next();
                return Trace.Transaction.read(row, 2);
            }
        }
    }

    /**
     * The check with a statement behind it, for one message; the parameters of both are set.
     *
     * <p>Without a level of its own the message is one implicit transaction. With one it has to say BEGIN and COMMIT.
     *
     * @param trace to be written along; null if the statement leaves none
     */
    PreparedStatement checkThen(
            Connection connection,
            String sql,
            @Nullable Object[] parameters,
            Mandates mandates,
            Duration longestTransaction,
            Trace.@Nullable Row trace)
            throws SQLException {
        String recorded = trace == null ? "" : isOne(mandates) ? ", " + record : "; SELECT " + record;
        String check = isOne(mandates) ? one + recorded : each + ofEach + recorded;
        String message = settings.isolation()
                .map(isolation -> "BEGIN ISOLATION LEVEL " + isolation.sql() + "; " + check + "; " + sql
                        + "\n; COMMIT") // the statement can end in a comment
                .orElse(check + "; " + sql);
        PreparedStatement statement = connection.prepareStatement(message);
        try {
            bind(connection, statement, mandates, Optional.of(longestTransaction));
            GuardFunctions.boundAllWaits(
                    statement, mandates, settings.checkWait().plus(longestTransaction));
            int at = CHECK_PARAMETERS;
            if (trace != null) {
                statement.setObject(at + 1, trace.id());
                statement.setLong(at + 2, trace.madeAtMicros());
                at += RECORD_PARAMETERS;
            }
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(at + 1 + i, parameters[i]);
            }
            return statement;
        } catch (SQLException | RuntimeException | Error e) {
            statement.close();
            throw e;
        }
    }

    /** How many results stand before the one of the statement in {@link #checkThen}'s message. */
    int resultsBefore(Mandates mandates, Trace.@Nullable Row trace) {
        return 1 + (settings.isolation().isPresent() ? 1 : 0) + (trace != null && !isOne(mandates) ? 1 : 0);
    }

    private static boolean isOne(Mandates mandates) {
        return mandates.resources().size() == 1;
    }

    private void bind(
            Connection connection,
            PreparedStatement statement,
            Mandates mandates,
            Optional<Duration> longestTransaction)
            throws SQLException {
        Integer longest = longestTransaction.map(GuardFunctions::millis).orElse(null);
        int wait = GuardFunctions.millis(settings.checkWait());
        if (isOne(mandates)) {
            GuardFunctions.bind(statement, mandates.firstResource(), mandates.firstGrant());
            statement.setInt(6, wait);
            statement.setObject(7, longest, Types.INTEGER);
        } else {
            statement.setInt(1, wait);
            statement.setObject(2, longest, Types.INTEGER);
            GuardFunctions.bindEach(connection, statement, 3, mandates);
        }
    }
}
