package dev.fence.jdbc;

import dev.fence.BusyException;
import dev.fence.FencedWriter;
import dev.fence.Grant;
import dev.fence.OutcomeUnknownException;
import dev.fence.StaleTokenException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A writer of {@link JdbcFence}, to one resource or to several at once. Safe for use by several threads.
 *
 * <p>Each {@link #write} or {@link #call} is one transaction: the check of all guards first, then the body, once, then COMMIT.
 * {@link #execute} is the cheapest way to change something: one round trip, like the plain statement.
 */
public final class JdbcWriter implements FencedWriter<Connection> {

    private final JdbcFence fence;
    private final Mandates mandates;
    private final GuardedWrites writes;
    private final OneTrip oneTrip;

    JdbcWriter(JdbcFence fence, Mandates mandates) {
        this.fence = fence;
        this.mandates = mandates;
        this.writes =
                new GuardedWrites(fence, mandates, (c, longest) -> fence.check().begin(c, mandates, longest));
        this.oneTrip = new OneTrip(fence, mandates);
    }

    /** The protected resource; of several, the first by name. */
    @Override
    public String resource() {
        return mandates.firstResource();
    }

    /** The grant under which this writer writes; with several leases, the one for {@link #resource()}. */
    @Override
    public Grant grant() {
        return mandates.firstGrant();
    }

    /** All protected resources, by name. */
    public List<String> resources() {
        return mandates.resources();
    }

    boolean isOf(JdbcFence other) {
        return fence == other;
    }

    Mandates mandates() {
        return mandates;
    }

    @Override
    public <R extends @Nullable Object, X extends Exception> R call(Call<? super Connection, R, X> body) throws X {
        return writes.call(body);
    }

    /**
     * Executes one statement in one round trip: its check travels in front of it, in one message and one transaction.
     *
     * @param sql a single INSERT, UPDATE, DELETE or MERGE without RETURNING, with {@code ?} for parameters
     * @param parameters what the driver's {@code setObject} takes
     * @return how many rows the database says it changed; -1 if it did not say. Not to be taken for an outcome: triggers,
     *     rules and partitions can make it anything
     * @throws IllegalArgumentException if {@code sql} is anything else; nothing was sent
     * @throws SQLException an error of the statement, also one that is found at its commit; nothing has changed
     * @throws StaleTokenException and others as for {@link #write}
     * @throws BusyException if it collided, or no connection was to be had; nothing changed
     * @throws OutcomeUnknownException if the connection was lost; there is no way to tell whether before or after the
     *     commit, so that this is more frequent than with {@link #write}
     */
    public long execute(String sql, @Nullable Object... parameters) throws SQLException {
        return oneTrip.execute(sql, parameters);
    }

    /**
     * Executes one statement for each row, in one transaction: the check, all rows in one message of the driver's or a few, COMMIT.
     * All rows or none.
     *
     * @param sql any statement, with {@code ?} for parameters
     * @param rows the parameters of each execution, as the driver's {@code setObject} takes them; none: nothing is sent
     * @return the update counts, as {@link PreparedStatement#executeLargeBatch} returns them; not to be taken for an outcome
     * @throws SQLException an error of the statement; nothing has changed
     * @throws StaleTokenException and others as for {@link #write}
     */
    public long[] executeBatch(String sql, List<? extends @Nullable Object[]> rows) throws SQLException {
        if (rows.isEmpty()) {
            return new long[0];
        }
        return this.<long[], SQLException>call(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                for (@Nullable Object[] row : rows) {
                    for (int i = 0; i < row.length; i++) {
                        statement.setObject(1 + i, row[i]);
                    }
                    statement.addBatch();
                }
                return statement.executeLargeBatch();
            }
        });
    }

    /**
     * Joins a transaction that the caller owns and will end. Its guards are checked at once, so that a former holder fails
     * fast, and must be checked again by {@link JoinedTransaction#beforeCommit()}, which is the check that counts. The
     * transaction must have begun after the seal. A seal itself has no place in it: {@link JdbcFence#seal} uses a connection and
     * a transaction of its own.
     *
     * @param connection of PostgreSQL's own driver, or a pool's around one, with auto-commit off
     * @return to be closed when the transaction has ended
     * @throws IllegalStateException if the connection is in auto-commit, or its transaction has failed; nothing was sent
     * @throws StaleTokenException and others as for {@link #write}; the transaction can only be rolled back
     * @throws BusyException also if the transaction began before the seal
     */
    public JoinedTransaction join(Connection connection) {
        return JoinedTransaction.join(fence, mandates, connection);
    }
}
