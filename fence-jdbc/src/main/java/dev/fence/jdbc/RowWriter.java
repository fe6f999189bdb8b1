package dev.fence.jdbc;

import dev.fence.FencedWriter;
import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.OutcomeUnknownException;
import dev.fence.StaleTokenException;
import dev.fence.UnsupportedStoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A writer of {@link RowFence}, to one row. Safe for use by several threads. */
public final class RowWriter implements FencedWriter<Connection> {

    private final JdbcFence fence;
    private final RowStatements statements;
    private final Mandates mandates;
    private final String key;
    private final GuardedWrites writes;

    RowWriter(JdbcFence fence, RowStatements statements, Mandates mandates, String key) {
        this.fence = fence;
        this.statements = statements;
        this.mandates = mandates;
        this.key = key;
        this.writes = new GuardedWrites(fence, mandates, (c, longest) -> statements.lock(c, mandates, key, longest));
    }

    @Override
    public String resource() {
        return mandates.firstResource();
    }

    @Override
    public Grant grant() {
        return mandates.firstGrant();
    }

    /** One transaction: the row is locked and checked first, then the body runs, once, then it commits. */
    @Override
    public <R extends @Nullable Object, X extends Exception> R call(Call<? super Connection, R, X> body) throws X {
        return writes.call(body);
    }

    /**
     * Changes the row, in one statement and one round trip.
     *
     * @param assignments what stands between SET and WHERE of an UPDATE, with {@code ?} for parameters:
     *     {@code "balance = balance - ?"}. No semicolon, and no word about the columns of the fence
     * @param parameters what the driver's {@code setObject} takes
     * @throws IllegalArgumentException if {@code assignments} breaks its rule; nothing was sent
     * @throws SQLException an error of the statement, also one that is found at its commit; nothing has changed
     * @throws StaleTokenException and others as for {@link #write}
     * @throws OutcomeUnknownException if the connection was lost; only the row's own contents can tell then
     * @throws UnsupportedStoreException if the row is the writer's and did not change: a trigger has swallowed it
     */
    public void update(String assignments, @Nullable Object... parameters) throws SQLException {
        String sql = statements.update(assignments, parameters.length);
        fence.<Boolean, SQLException>reporting(mandates, () -> {
            Lease.Work work = mandates.begin();
            try (work) {
                updateChecked(sql, parameters);
                return Boolean.TRUE;
            } catch (StaleTokenException e) {
                throw mandates.explain(e);
            }
        });
    }

    private void updateChecked(String sql, @Nullable Object[] parameters) throws SQLException {
        try (OwnTransaction transaction = OwnTransaction.ofOneMessage(fence.dataSource())) {
            if (transaction.isCutOff()) {
                throw GuardedWrites.notNow(mandates, null);
            }
            Duration longest = GuardedWrites.longestTransaction(fence, mandates);
            JdbcFenceSettings settings = fence.settings();
            transaction.limitNetworkWait(settings.checkWait().plus(longest).plus(settings.commitWait()));
            // Between an update that found nothing and the look at the row the row can have become ours: so twice.
            if (send(transaction, sql, parameters, longest) == 0) {
                requireOurs(transaction);
                if (send(transaction, sql, parameters, longest) == 0) {
                    requireOurs(transaction);
                    throw new UnsupportedStoreException(
                            "the row of " + mandates + " carries our grant and was not changed all the same: look for"
                                    + " triggers and row security that swallow updates",
                            null);
                }
            }
        }
    }

    private void requireOurs(OwnTransaction transaction) {
        try {
            statements.look(transaction.connection(), mandates, key);
        } catch (SQLException e) {
            throw Refusals.ofStore(e, "the row of " + mandates + " could not be read");
        }
    }

    private long send(OwnTransaction transaction, String sql, @Nullable Object[] parameters, Duration longest)
            throws SQLException {
        PreparedStatement statement = transaction.connection().prepareStatement(sql);
        try {
            statements.bind(statement, mandates, key, longest, parameters);
            return OneTrip.send(transaction, statement, statements.resultsBeforeUpdate(), mandates, null);
        } finally {
            OwnTransaction.closeQuietly(statement);
        }
    }
}
