package dev.fence.jdbc;

import dev.fence.BusyException;
import dev.fence.FenceException;
import dev.fence.FencedWriter.Call;
import dev.fence.Lease;
import dev.fence.OutcomeUnknownException;
import dev.fence.StaleTokenException;
import dev.fence.WriteId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Writes as transactions of our own: the check first, then the body, once, then COMMIT.
 *
 * <p>The check takes a lock that whoever seals waits for, so what it found stays true until the commit; the body cannot end
 * the transaction, and a rollback to one of its savepoints cannot undo the check, which is older than all of them.
 */
final class GuardedWrites {

    private static final Duration LONGEST_TRANSACTION = Duration.ofSeconds(5);

    private final JdbcFence fence;
    private final Mandates mandates;
    private final Check check;

    GuardedWrites(JdbcFence fence, Mandates mandates, Check check) {
        this.fence = fence;
        this.mandates = mandates;
        this.check = check;
    }

    /** A transaction of ours that has been checked, and what it can be told by. */
    private record Checked(
            OwnTransaction transaction, @Nullable WriteId writeId) {}

    <R extends @Nullable Object, X extends Exception> R call(Call<? super Connection, R, X> body) throws X {
        Lease.Work work = fence.reporting(mandates, mandates::begin);
        try (work) {
            Checked checked = fence.reporting(mandates, this::begin);
            OwnTransaction transaction = checked.transaction();
            try (transaction) {
                GuardedConnection guarded = new GuardedConnection(transaction.connection(), mandates.firstResource());
                R result = run(body, guarded, transaction);
                fence.reporting(mandates, () -> {
                    requireCommittable(checked, guarded.lastFailure());
                    transaction.commit(
                            mandates, checked.writeId(), fence.settings().commitWait());
                    return Boolean.TRUE;
                });
                return result;
            }
        }
    }

    /** The connection is back in its pool before the lease service is asked anything. */
    private Checked begin() {
        try {
            return beginChecked();
        } catch (StaleTokenException e) {
            throw mandates.explain(e);
        }
    }

    private Checked beginChecked() {
        OwnTransaction transaction = OwnTransaction.begin(fence.dataSource());
        try {
            Trace trace = check.check(transaction.connection(), longestTransaction(fence, mandates));
            return new Checked(
                    transaction,
                    trace == null ? null : trace.under(mandates.firstGrant().token()));
        } catch (SQLException e) {
            transaction.close();
            throw Refusals.ofGuard(e, mandates);
        } catch (RuntimeException | Error e) {
            transaction.close();
            throw e;
        }
    }

    static Duration longestTransaction(JdbcFence fence, Mandates mandates) {
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
                throw notNow(mandates, thrown);
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
    private void requireCommittable(Checked checked, @Nullable SQLException lastFailure) {
        OwnTransaction transaction = checked.transaction();
        if (transaction.isCutOff()) {
            throw notNow(mandates, lastFailure);
        }
        switch (transaction.state()) {
            case OPEN -> {}
            case FAILED -> {
                if (lastFailure != null && SqlStates.saysTryAgain(lastFailure)) {
                    throw notNow(mandates, lastFailure);
                }
                throw new CommitRefusedException(
                        mandates.firstResource(),
                        "the body went on after an SQL error, and the transaction can only be rolled back",
                        lastFailure);
            }
            case IDLE ->
                throw new OutcomeUnknownException(
                        mandates.firstResource(),
                        mandates.firstGrant(),
                        checked.writeId(),
                        new IllegalStateException("the body has ended the transaction"));
        }
    }

    static BusyException notNow(Mandates mandates, @Nullable Throwable cause) {
        return new BusyException(
                "a write to " + mandates + " collided or was cut off before its commit; nothing changed", cause);
    }
}
