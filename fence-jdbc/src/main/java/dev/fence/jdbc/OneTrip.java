package dev.fence.jdbc;

import dev.fence.FenceException;
import dev.fence.Lease;
import dev.fence.OutcomeUnknownException;
import dev.fence.StaleTokenException;
import dev.fence.WriteId;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes of one statement, each in one message, with its check in front of it. */
final class OneTrip {

    private final JdbcFence fence;
    private final Mandates mandates;

    OneTrip(JdbcFence fence, Mandates mandates) {
        this.fence = fence;
        this.mandates = mandates;
    }

    long execute(String sql, @Nullable Object[] parameters) throws SQLException {
        String statement = SingleStatement.require(sql, parameters.length);
        return fence.<Long, SQLException>reporting(mandates, () -> {
            Lease.Work work = mandates.begin();
            try (work) {
                return executeChecked(statement, parameters);
            } catch (StaleTokenException e) {
                throw mandates.explain(e);
            }
        });
    }

    private long executeChecked(String sql, @Nullable Object[] parameters) throws SQLException {
        JdbcFenceSettings settings = fence.settings();
        Duration longest = GuardedWrites.longestTransaction(fence, mandates);
        Trace.Row trace = settings.verification() == Verification.STATEMENTS_TOO ? Trace.Row.make() : null;
        try (OwnTransaction transaction = OwnTransaction.ofOneMessage(fence.dataSource())) {
            if (transaction.isCutOff()) {
                throw GuardedWrites.notNow(mandates, null);
            }
            PreparedStatement statement =
                    fence.check().checkThen(transaction.connection(), sql, parameters, mandates, longest, trace);
            try {
                transaction.limitNetworkWait(settings.checkWait().plus(longest).plus(settings.commitWait()));
                return send(transaction, statement, fence.check().resultsBefore(mandates, trace), mandates, trace);
            } finally {
                OwnTransaction.closeQuietly(statement);
            }
        }
    }

    /**
     * Sends a message that is a transaction of its own, and returns the count of its statement, which comes behind so many
     * other results.
     */
    static long send(
            OwnTransaction transaction,
            PreparedStatement statement,
            int resultsBefore,
            Mandates mandates,
            Trace.@Nullable Row trace)
            throws SQLException {
        long count;
        try {
            statement.execute();
            for (int i = resultsBefore; i > 0; i--) {
                statement.getMoreResults();
            }
            count = statement.getLargeUpdateCount();
        } catch (SQLException e) {
            Optional<FenceException> refusal = Refusals.byGuard(e, mandates);
            if (refusal.isPresent()) {
                throw refusal.get();
            }
            if (SqlStates.saysNotCommitted(e)) {
                throw GuardedWrites.notNow(mandates, e);
            }
            if (transaction.isRefused(e)) {
                throw e;
            }
            throw unknown(mandates, trace, e);
        } catch (RuntimeException | Error e) {
            throw unknown(mandates, trace, e);
        }
        transaction.requireEnded(mandates);
        return count;
    }

    private static OutcomeUnknownException unknown(Mandates mandates, Trace.@Nullable Row trace, Throwable cause) {
        WriteId writeId =
                trace == null ? null : trace.under(mandates.firstGrant().token());
        return new OutcomeUnknownException(mandates.firstResource(), mandates.firstGrant(), writeId, cause);
    }
}
