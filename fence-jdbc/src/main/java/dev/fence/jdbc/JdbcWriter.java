package dev.fence.jdbc;

import dev.fence.BusyException;
import dev.fence.FenceException;
import dev.fence.FencedWriter;
import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.OutcomeUnknownException;
import dev.fence.StaleTokenException;
import dev.fence.spi.Mandate;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Each call is one transaction of our own: check first, then the body, then COMMIT. The check takes a lock that whoever seals
 * waits for, so what it found stays true until the commit; the body cannot end the transaction, and a rollback to one of
 * its savepoints cannot undo the check, which is older than all of them.
 */
final class JdbcWriter implements FencedWriter<Connection> {

    private static final Duration LONGEST_TRANSACTION = Duration.ofSeconds(5);

    private final JdbcFence fence;
    private final Mandate mandate;
    private final String resource;

    JdbcWriter(JdbcFence fence, Mandate mandate, String resource) {
        this.fence = fence;
        this.mandate = mandate;
        this.resource = resource;
    }

    @Override
    public String resource() {
        return resource;
    }

    @Override
    public Grant grant() {
        return mandate.grant();
    }

    @Override
    public <R extends @Nullable Object, X extends Exception> R call(Call<? super Connection, R, X> body) throws X {
        Lease.Work work = fence.reporting(grant(), resource, mandate::begin);
        try (work) {
            OwnTransaction transaction = fence.reporting(grant(), resource, this::begin);
            try (transaction) {
                GuardedConnection guarded = new GuardedConnection(transaction.connection(), resource);
                R result = run(body, guarded, transaction);
                fence.reporting(grant(), resource, () -> {
                    requireCommittable(transaction, guarded.lastFailure());
                    transaction.commit(resource, grant(), fence.settings().commitWait());
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
            throw mandate.explain(e);
        }
    }

    private OwnTransaction beginChecked() {
        OwnTransaction transaction = OwnTransaction.begin(fence.dataSource());
        try {
            fence.guard()
                    .check(
                            transaction.connection(),
                            resource,
                            grant(),
                            fence.settings().checkWait(),
                            longestTransaction());
            return transaction;
        } catch (SQLException e) {
            transaction.close();
            throw Refusals.ofGuard(e, resource, grant());
        } catch (RuntimeException | Error e) {
            transaction.close();
            throw e;
        }
    }

    private Duration longestTransaction() {
        return fence.settings().longestTransaction().orElseGet(() -> {
            Duration share = mandate.remaining().orElse(Duration.ofDays(1)).dividedBy(3);
            return share.compareTo(LONGEST_TRANSACTION) < 0 ? share : LONGEST_TRANSACTION;
        });
    }

    private static <R extends @Nullable Object, X extends Exception> R run(
            Call<? super Connection, R, X> body, GuardedConnection guarded, OwnTransaction transaction) throws X {
        try {
            R result = body.run(guarded.connection());
            guarded.end();
            return result;
        } catch (Throwable thrown) {
            guarded.end();
            transaction.rollBack(thrown);
            if (thrown instanceof Exception && !carriesAnOutcome(thrown) && SqlStates.saysTryAgain(thrown)) {
                throw notNow(guarded.resource(), thrown);
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
            throw notNow(resource, lastFailure);
        }
        switch (transaction.state()) {
            case OPEN -> {}
            case FAILED -> {
                if (lastFailure != null && SqlStates.saysTryAgain(lastFailure)) {
                    throw notNow(resource, lastFailure);
                }
                throw new CommitRefusedException(
                        resource,
                        "the body went on after an SQL error, and the transaction can only be rolled back",
                        lastFailure);
            }
            case IDLE ->
                throw new OutcomeUnknownException(
                        resource, grant(), new IllegalStateException("the body has ended the transaction"));
        }
    }

    private static BusyException notNow(String resource, @Nullable Throwable cause) {
        return new BusyException(
                "a write to resource \"" + resource + "\" collided or was cut off before its commit; nothing changed",
                cause);
    }
}
