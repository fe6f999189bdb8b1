package dev.fence.jdbc;

import dev.fence.BusyException;
import dev.fence.FenceException;
import dev.fence.FencedWriter;
import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.OutcomeUnknownException;
import dev.fence.StaleTokenException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A writer of {@link JdbcFence}, to one resource or to several at once. Safe for use by several threads.
 *
 * <p>Each {@link #write} or {@link #call} is one transaction: the check of all guards first, then the body, once, then COMMIT.
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
                    .check(transaction.connection(), mandates, fence.settings().checkWait(), longestTransaction());
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
