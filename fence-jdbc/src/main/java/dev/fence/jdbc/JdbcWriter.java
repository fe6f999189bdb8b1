package dev.fence.jdbc;

import dev.fence.BusyException;
import dev.fence.FenceException;
import dev.fence.FencedWriter;
import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.OutcomeUnknownException;
import dev.fence.StaleTokenException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A writer of {@link JdbcFence}, to one resource or to several at once. Safe for use by several threads.
 *
 * <p>Each {@link #write} or {@link #call} is one transaction: the check of all guards first, then the body, once, then COMMIT.
 * {@link #execute} is the cheapest way to change something: one round trip, like the plain statement.
 */
// The check takes a lock that whoever seals waits for, so what it found stays true until the commit; the body cannot
// end the
// transaction, and a rollback to one of its savepoints cannot undo the check, which is older than all of them.
public final class JdbcWriter implements FencedWriter<Connection> {

    private static final Duration LONGEST_TRANSACTION = Duration.ofSeconds(5);

    private final JdbcFence fence;
    private final Mandates mandates;

    JdbcWriter(JdbcFence fence, Mandates mandates) {
        this.fence = fence;
        this.mandates = mandates;
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
        Lease.Work work = fence.reporting(mandates, mandates::begin);
        try (work) {
            OwnTransaction transaction = fence.reporting(mandates, this::begin);
            try (transaction) {
                GuardedConnection guarded = new GuardedConnection(transaction.connection(), resource());
                R result = run(body, guarded, transaction);
                fence.reporting(mandates, () -> {
                    requireCommittable(transaction, guarded.lastFailure());
                    transaction.commit(mandates, fence.settings().commitWait());
                    return Boolean.TRUE;
                });
                return result;
            }
        }
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
        SingleStatement.require(sql, parameters.length);
        return fence.<Long, SQLException>reporting(mandates, () -> {
            Lease.Work work = mandates.begin();
            try (work) {
                return executeChecked(sql, parameters);
            } catch (StaleTokenException e) {
                throw mandates.explain(e);
            }
        });
    }

    private long executeChecked(String sql, @Nullable Object[] parameters) throws SQLException {
        JdbcFenceSettings settings = fence.settings();
        Duration longest = longestTransaction();
        try (OwnTransaction transaction = OwnTransaction.ofOneMessage(fence.dataSource())) {
            if (transaction.isCutOff()) {
                throw notNow(null);
            }
            PreparedStatement statement =
                    fence.guard().checkThen(transaction.connection(), sql, mandates, settings.checkWait(), longest);
            try {
                for (int i = 0; i < parameters.length; i++) {
                    statement.setObject(GuardFunctions.CHECK_PARAMETERS + 1 + i, parameters[i]);
                }
                transaction.limitNetworkWait(settings.checkWait().plus(longest).plus(settings.commitWait()));
                return send(transaction, statement);
            } finally {
                OwnTransaction.closeQuietly(statement);
            }
        }
    }

    private long send(OwnTransaction transaction, PreparedStatement statement) throws SQLException {
        try {
            statement.execute();
            statement.getMoreResults(); // past the result of the check
            return statement.getLargeUpdateCount();
        } catch (SQLException e) {
            Optional<FenceException> refusal = Refusals.byGuard(e, mandates);
            if (refusal.isPresent()) {
                throw refusal.get();
            }
            if (SqlStates.saysNotCommitted(e)) {
                throw notNow(e);
            }
            if (transaction.isRefused(e)) {
                throw e;
            }
            throw new OutcomeUnknownException(resource(), grant(), e);
        } catch (RuntimeException | Error e) {
            throw new OutcomeUnknownException(resource(), grant(), e);
        }
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

    /** The connection is back in its pool before the lease service is asked anything. */
    private OwnTransaction begin() {
        try {
            return beginChecked();
        } catch (StaleTokenException e) {
            throw mandates.explain(e);
        }
    }

    private OwnTransaction beginChecked() {
        OwnTransaction transaction = OwnTransaction.begin(fence.dataSource());
        try {
            fence.guard()
                    .check(
                            transaction.connection(),
                            mandates,
                            fence.settings().checkWait(),
                            Optional.of(longestTransaction()));
            return transaction;
        } catch (SQLException e) {
            transaction.close();
            throw Refusals.ofGuard(e, mandates);
        } catch (RuntimeException | Error e) {
            transaction.close();
            throw e;
        }
    }

    private Duration longestTransaction() {
        return fence.settings().longestTransaction().orElseGet(() -> {
            Duration share = mandates.remaining().orElse(Duration.ofDays(1)).dividedBy(3);
            return share.compareTo(LONGEST_TRANSACTION) < 0 ? share : LONGEST_TRANSACTION;
        });
    }

    private <R extends @Nullable Object, X extends Exception> R run(
            Call<? super Connection, R, X> body, GuardedConnection guarded, OwnTransaction transaction) throws X {
        try {
            R result = body.run(guarded.connection());
            guarded.end();
            return result;
        } catch (Throwable thrown) {
            guarded.end();
            transaction.rollBack(thrown);
            if (thrown instanceof Exception && !carriesAnOutcome(thrown) && SqlStates.saysTryAgain(thrown)) {
                throw notNow(thrown);
            }
            throw thrown;
        }
    }

    /** An outcome that the body learned about another write is passed on as it is. */
    private static boolean carriesAnOutcome(Throwable thrown) {
        for (Throwable t = thrown; t != null; t = t.getCause()) {
            if (t instanceof FenceException) {
                return true;
            }
        }
        return false;
    }

    /** The driver would report the COMMIT of a failed transaction as done, and that of none at all too. */
    private void requireCommittable(OwnTransaction transaction, @Nullable SQLException lastFailure) {
        if (transaction.isCutOff()) {
            throw notNow(lastFailure);
        }
        switch (transaction.state()) {
            case OPEN -> {}
            case FAILED -> {
                if (lastFailure != null && SqlStates.saysTryAgain(lastFailure)) {
                    throw notNow(lastFailure);
                }
                throw new CommitRefusedException(
                        resource(),
                        "the body went on after an SQL error, and the transaction can only be rolled back",
                        lastFailure);
            }
            case IDLE ->
                throw new OutcomeUnknownException(
                        resource(), grant(), new IllegalStateException("the body has ended the transaction"));
        }
    }

    private BusyException notNow(@Nullable Throwable cause) {
        return new BusyException(
                "a write to " + mandates + " collided or was cut off before its commit; nothing changed", cause);
    }
}
