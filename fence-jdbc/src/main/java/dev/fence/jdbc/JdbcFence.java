package dev.fence.jdbc;

import dev.fence.BusyException;
import dev.fence.Fence;
import dev.fence.FenceEvents;
import dev.fence.FenceException;
import dev.fence.FencedWriter;
import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.OutcomeUnknownException;
import dev.fence.StaleTokenException;
import dev.fence.TokenSourceException;
import dev.fence.UnsupportedStoreException;
import dev.fence.spi.Checks;
import dev.fence.spi.Mandate;
import dev.fence.spi.SafeEvents;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * The fence of a PostgreSQL database, version 14 or later, over its own JDBC driver.
 *
 * <pre>{@code
 * Fence<Connection> ledger = JdbcFence.on(dataSource);
 * FencedWriter<Connection> writer = ledger.seal(lease, "ledger/EU");
 * writer.write(c -> postNextInvoice(c));
 * }</pre>
 *
 * <p>Every write is one transaction on one connection of the data source: the guard is checked first, then the body runs,
 * once, then it commits. The body's connection refuses to end the transaction. What the body threw comes out as it is, except
 * that a collision (serialization failure, deadlock, lock wait) or a cut connection becomes {@link BusyException}. If the
 * database refuses the commit for reasons of its own, that is a {@link CommitRefusedException}.
 *
 * <p>The isolation level is the connection's own; all three levels are safe. Nothing is left in the session: behind a pooler
 * in transaction mode it works too. No transaction is open while a lease is merely held.
 *
 * <p>The guard's tables come from {@code fence-migrations}. Safe for use by several threads.
 */
public final class JdbcFence implements Fence<Connection> {

    private final DataSource dataSource;
    private final JdbcFenceSettings settings;
    private final GuardFunctions guard;
    private final FenceEvents events;

    private JdbcFence(DataSource dataSource, JdbcFenceSettings settings) {
        this.dataSource = dataSource;
        this.settings = settings;
        this.guard = new GuardFunctions(settings.schema());
        this.events = SafeEvents.of(settings.events());
    }

    /** {@link #on(DataSource, JdbcFenceSettings)} with the default settings. */
    public static JdbcFence on(DataSource dataSource) {
        return on(dataSource, JdbcFenceSettings.DEFAULTS);
    }

    /**
     * Asks the database whether it can keep a guard, on one connection, and fails if it cannot.
     *
     * @throws UnsupportedStoreException if it cannot; the message says what to fix
     * @throws BusyException if the database could not be asked
     */
    public static JdbcFence on(DataSource dataSource, JdbcFenceSettings settings) {
        StoreCheck.require(dataSource, settings.schema());
        return new JdbcFence(dataSource, settings);
    }

    @Override
    public boolean create(Lease lease, String resource) {
        Checks.name("resource", resource);
        Mandate mandate = Mandate.of(lease);
        boolean created = reporting(mandate.grant(), resource, () -> {
            Lease.Work work = mandate.begin();
            try (work) {
                lease.confirm();
                return change(
                        mandate,
                        resource,
                        (c, wait) -> guard.create(c, resource, mandate.grant(), settings.label(), wait));
            }
        });
        return tellIfRaised(created, mandate.grant(), resource);
    }

    @Override
    public FencedWriter<Connection> seal(Lease lease, String resource) {
        Checks.name("resource", resource);
        Mandate mandate = Mandate.of(lease);
        boolean raised = reporting(mandate.grant(), resource, () -> {
            Lease.Work work = mandate.begin();
            try (work) {
                return raise(lease, mandate, resource);
            } catch (StaleTokenException e) {
                throw mandate.explain(e);
            }
        });
        tellIfRaised(raised, mandate.grant(), resource);
        return new JdbcWriter(this, mandate, resource);
    }

    @Override
    public FencedWriter<Connection> attach(Grant grant, String resource) {
        Checks.name("resource", resource);
        return new JdbcWriter(this, Mandate.of(grant), resource);
    }

    private boolean raise(Lease lease, Mandate mandate, String resource) {
        try {
            return raise(mandate, resource, false);
        } catch (TokenSourceException e) {
            if (e.problem() != TokenSourceException.Problem.HISTORY_LOST) {
                throw e;
            }
            // The database may have forgotten newer seals. Who the newest holder is only the lease service can still
            // say.
            lease.confirm();
            return raise(mandate, resource, true);
        }
    }

    private boolean raise(Mandate mandate, String resource, boolean confirmed) {
        return change(
                mandate,
                resource,
                (c, wait) -> guard.seal(c, resource, mandate.grant(), settings.label(), wait, confirmed));
    }

    /** A change of a guard is a transaction of its own, committed before the holder reads anything. */
    private boolean change(Mandate mandate, String resource, Change change) {
        try (OwnTransaction transaction = OwnTransaction.begin(dataSource)) {
            boolean changed = change.apply(transaction.connection(), sealWait(mandate));
            transaction.commit(resource, mandate.grant(), settings.commitWait());
            return changed;
        } catch (SQLException e) {
            throw Refusals.ofGuard(e, resource, mandate.grant());
        }
    }

    private Duration sealWait(Mandate mandate) {
        Duration left = mandate.remaining().orElse(settings.sealWait());
        return left.compareTo(settings.sealWait()) < 0 ? left : settings.sealWait();
    }

    private boolean tellIfRaised(boolean raised, Grant grant, String resource) {
        if (raised) {
            events.sealed(grant, resource);
        }
        return raised;
    }

    /** Does {@code step} and tells the listener if it ends in a refusal or in the unknown. */
    <T> T reporting(Grant grant, String resource, Supplier<T> step) {
        try {
            return step.get();
        } catch (OutcomeUnknownException e) {
            events.unknown(grant, resource, e);
            throw e;
        } catch (BusyException e) {
            throw e; // not now is no refusal
        } catch (FenceException e) {
            events.refused(grant, resource, e);
            throw e;
        }
    }

    DataSource dataSource() {
        return dataSource;
    }

    JdbcFenceSettings settings() {
        return settings;
    }

    GuardFunctions guard() {
        return guard;
    }

    private interface Change {
        boolean apply(Connection connection, Duration wait) throws SQLException;
    }
}
