package dev.fence.jdbc;

import dev.fence.WriteOutcome;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/** Asks the database what came of a write, by the trace it left. The rules stand in the SQL. */
final class Verifier {

    private Verifier() {}

    static WriteOutcome verify(JdbcFence fence, String resource, Trace.Of written) {
        try (OwnTransaction transaction = OwnTransaction.begin(fence.dataSource())) {
            Duration wait = fence.settings().commitWait();
            transaction.limitNetworkWait(wait.plus(wait));
            String answer = ask(transaction, fence.settings(), resource, written);
            // What was put in the place of a missing row counts from its commit on.
            transaction.connection().commit();
            return outcome(answer);
        } catch (SQLException e) {
            throw Refusals.ofStore(e, "what came of a write to resource \"" + resource + "\" could not be asked");
        }
    }

    private static String ask(OwnTransaction transaction, JdbcFenceSettings settings, String resource, Trace.Of written)
            throws SQLException {
        String call = GuardFunctions.AT_READ_COMMITTED + "SELECT " + settings.schema();
        boolean ofTransaction = written.trace() instanceof Trace.Transaction;
        try (PreparedStatement statement = transaction
                .connection()
                .prepareStatement(
                        call + (ofTransaction ? ".verify_v1(?, ?, ?, ?::xid8, ?, ?)" : ".settle_v1(?, ?, ?, ?, ?)"))) {
            statement.setString(1, resource);
            statement.setLong(2, written.token().value());
            int at = bind(statement, written.trace());
            statement.setInt(at, GuardFunctions.millis(settings.commitWait()));
            try (ResultSet answer = GuardFunctions.pastTheLevel(statement)) {
                answer.next();
                return answer.getString(1);
            }
        }
    }

    private static int bind(PreparedStatement statement, Trace trace) throws SQLException {
        if (trace instanceof Trace.Transaction transaction) {
            statement.setLong(3, transaction.timeline());
            statement.setString(4, Long.toString(transaction.number()));
            statement.setLong(5, transaction.incarnation());
            return 6;
        }
        Trace.Row row = (Trace.Row) trace;
        statement.setObject(3, row.id());
        statement.setLong(4, row.madeAtMicros());
        return 5;
    }

    private static WriteOutcome outcome(String answer) {
        return switch (answer) {
            case "applied" -> WriteOutcome.APPLIED;
            case "superseded" -> WriteOutcome.APPLIED_THEN_SUPERSEDED;
            case "refused" -> WriteOutcome.REFUSED;
            default -> WriteOutcome.UNKNOWN;
        };
    }
}
