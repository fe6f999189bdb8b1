package dev.fence.jdbc;

import dev.fence.BusyException;
import dev.fence.FenceException;
import dev.fence.GuardMissingException;
import dev.fence.Lease;
import dev.fence.OutcomeUnknownException;
import dev.fence.StaleTokenException;
import dev.fence.TokenSourceException;
import dev.fence.WriteId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.TransactionState;
import org.postgresql.jdbc.PgConnection;

/**
 * A transaction that the caller owns, fenced for one {@link JdbcWriter}: made by {@link JdbcWriter#join}.
 *
 * <pre>{@code
 * try (JoinedTransaction joined = writer.join(connection)) {
 *     postNextInvoice(connection);
 *     joined.beforeCommit();
 *     connection.commit();
 * }
 * }</pre>
 *
 * <p>The check that counts is {@link #beforeCommit()}. What was checked at the beginning only fails fast: a rollback to a
 * savepoint that is older than a check drops its lock and keeps the transaction. So nothing may come between the check and the
 * COMMIT, least of all a rollback to a savepoint, and a commit without it is not fenced.
 *
 * <p>Never commits, rolls back, closes, or changes auto-commit, the isolation level or a time-out. For one thread, as its
 * connection is.
 */
public final class JoinedTransaction implements AutoCloseable {

    private final JdbcFence fence;
    private final Mandates mandates;
    private final Connection connection;
    private final PgConnection driver;
    private final Lease.Work work;
    private @Nullable FenceException refusal;
    private @Nullable WriteId writeId;

    private JoinedTransaction(
            JdbcFence fence, Mandates mandates, Connection connection, PgConnection driver, Lease.Work work) {
        this.fence = fence;
        this.mandates = mandates;
        this.connection = connection;
        this.driver = driver;
        this.work = work;
    }

    static JoinedTransaction join(JdbcFence fence, Mandates mandates, Connection connection) {
        PgConnection driver = driverOf(connection);
        Lease.Work work = fence.reporting(mandates, mandates::begin);
        JoinedTransaction joined = new JoinedTransaction(fence, mandates, connection, driver, work);
        try {
            joined.check(false);
            return joined;
        } catch (RuntimeException | Error e) {
            work.close();
            throw e;
        }
    }

    private static PgConnection driverOf(Connection connection) {
        try {
            if (connection.getAutoCommit()) {
                throw new IllegalStateException(
                        "the connection is in auto-commit: each statement would be a transaction"
                                + " of its own, and its check another");
            }
            PgConnection driver = Driver.of(connection);
            if (driver.getTransactionState() == TransactionState.FAILED) {
                throw new IllegalStateException("the transaction has failed already and can only be rolled back");
            }
            return driver;
        } catch (SQLException e) {
            throw Refusals.ofStore(e, "the connection is of no use");
        }
    }

    /**
     * Returns if the transaction may be committed now, and keeps it so until it ends. To be called right before COMMIT, after
     * everything that was buffered has been written. One round trip. After a refusal the transaction can only be rolled
     * back: called again it is refused again, whatever the caller did to the transaction in between.
     *
     * @throws StaleTokenException if a newer holder has sealed
     * @throws GuardMissingException if a resource has no guard
     * @throws TokenSourceException if guard and grant disagree about more than who is newer
     * @throws BusyException if it could not be checked now, also because the transaction began before the seal
     * @throws IllegalStateException if the transaction has ended, or has failed
     */
    public void beforeCommit() {
        if (refusal != null) {
            throw refusal;
        }
        if (driver.getTransactionState() != TransactionState.OPEN) {
            throw new IllegalStateException("the transaction on " + mandates + " has "
                    + (driver.getTransactionState() == TransactionState.IDLE
                            ? "ended: the check belongs before the commit"
                            : "failed and can only be rolled back"));
        }
        check(true);
    }

    private void check(boolean aboutToCommit) {
        fence.reporting(mandates, () -> {
            try {
                Trace trace = fence.check().join(connection, mandates, aboutToCommit);
                writeId =
                        trace == null ? null : trace.under(mandates.firstGrant().token());
            } catch (SQLException e) {
                FenceException found = Refusals.ofGuard(e, mandates);
                refusal = found instanceof StaleTokenException stale ? mandates.explain(stale) : found;
                throw refusal;
            }
            return Boolean.TRUE;
        });
    }

    /** What the outcome can be {@linkplain JdbcFence#verify verified} by; empty before {@link #beforeCommit()}, or if not asked for. */
    public Optional<WriteId> writeId() {
        return Optional.ofNullable(writeId);
    }

    /**
     * What an error of the caller's own commit means: to be thrown instead of it.
     *
     * @return a {@link BusyException} or a {@link CommitRefusedException} if nothing changed, else an {@link
     *     OutcomeUnknownException}
     */
    public RuntimeException commitFailed(SQLException e) {
        return CommitFailure.of(e, driver, mandates, writeId);
    }

    /** To be called when the transaction has ended, one way or the other: leases that are being closed wait for it. */
    @Override
    public void close() {
        work.close();
    }
}
