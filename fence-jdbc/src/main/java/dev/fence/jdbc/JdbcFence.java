package dev.fence.jdbc;

import dev.fence.BusyException;
import dev.fence.Fence;
import dev.fence.FenceEvents;
import dev.fence.FenceException;
import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.OutcomeUnknownException;
import dev.fence.StaleTokenException;
import dev.fence.TokenSourceException;
import dev.fence.UnsupportedStoreException;
import dev.fence.WriteId;
import dev.fence.WriteOutcome;
import dev.fence.spi.Checks;
import dev.fence.spi.Mandate;
import dev.fence.spi.SafeEvents;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

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
    private final GuardCheck check;
    private final FenceEvents events;

    private JdbcFence(DataSource dataSource, JdbcFenceSettings settings) {
        this.dataSource = dataSource;
        this.settings = settings;
        this.guard = new GuardFunctions(settings.schema());
        this.check = new GuardCheck(settings);
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
        Mandates mandates = Mandates.of(Mandate.of(lease), resource);
        boolean created = reporting(mandates, () -> {
            Lease.Work work = mandates.begin();
            try (work) {
                long timeline = timeline();
                lease.confirm();
                return change(
                        mandates,
                        (c, wait) -> guard.create(c, resource, lease.grant(), settings.label(), wait, timeline));
            }
        });
        if (created) {
            events.sealed(lease.grant(), resource);
        }
        return created;
    }

    @Override
    public JdbcWriter seal(Lease lease, String resource) {
        return seal(lease, Set.of(resource));
    }

    /**
     * Raises the guards of several resources to the lease's grant, all or none, in one transaction, and returns a writer to all
     * of them. Its writes are refused as a whole if the grant of one resource is stale; the refusal names that resource.
     *
     * @param resources 1 to 1000 names
     * @throws IllegalArgumentException if there are none or too many; nothing was sent
     * @see #seal(Lease, String)
     */
    public JdbcWriter seal(Lease lease, Set<String> resources) {
        Mandates mandates = Mandates.of(Mandate.of(lease), resources);
        seal(lease, mandates, connection -> {});
        return new JdbcWriter(this, mandates);
    }

    /** @param also is done in the same transaction, behind the raising of the guards */
    void seal(Lease lease, Mandates mandates, Also also) {
        List<String> raised = reporting(mandates, () -> {
            Lease.Work work = mandates.begin();
            try (work) {
                return raise(lease, mandates, also);
            } catch (StaleTokenException e) {
                throw mandates.explain(e);
            }
        });
        raised.forEach(resource -> events.sealed(lease.grant(), resource));
    }

    @Override
    public JdbcWriter attach(Grant grant, String resource) {
        return new JdbcWriter(this, Mandates.of(Mandate.of(grant), resource));
    }

    /**
     * A writer to the resources of all {@code writers}, under the grant that each of them has, such as for a transfer between two
     * accounts with a lease each. Each of its writes is one transaction, refused as a whole if one of the grants is stale or
     * one of the leases is over. Sends nothing.
     *
     * @param writers of this fence, with 1 to 1000 resources in all; a resource that occurs twice counts once
     * @throws IllegalArgumentException if a writer is of another fence, if two have different grants for one resource, or if
     *     there are none or too many
     */
    public JdbcWriter together(JdbcWriter... writers) {
        for (JdbcWriter writer : writers) {
            if (!writer.isOf(this)) {
                throw new IllegalArgumentException("the writer to resource \"" + writer.resource()
                        + "\" is of another fence: one transaction has one data source");
            }
        }
        return new JdbcWriter(
                this,
                Mandates.together(
                        Arrays.stream(writers).map(JdbcWriter::mandates).toList()));
    }

    /**
     * What came of a write whose outcome was unknown, by the id that the {@link OutcomeUnknownException} carried. Anybody may ask,
     * also another process, later. Every answer but unknown is final. While the write's transaction still runs it is waited
     * for, {@link JdbcFenceSettings#commitWait()} at most; then it is unknown, and may be asked again.
     *
     * <p>A transaction is told by its number, and only in the life of the server that gave it: after a crash or a failover it is
     * unknown for ever. A recorded statement ({@link Verification#STATEMENTS_TOO}) is told by its row, or, where there is none, by
     * putting one in its place, so that it can never take effect later.
     *
     * @param resource one that was written to: whether it was sealed by a newer holder since is part of the answer
     * @throws BusyException if the database could not be asked
     * @throws UnsupportedStoreException if this is a standby or a read-only transaction: what it says may be old
     * @throws IllegalArgumentException if the id is not one of this kind of fence
     */
    public WriteOutcome verify(String resource, WriteId writeId) {
        return Verifier.verify(this, Checks.name("resource", resource), Trace.Of.parse(writeId));
    }

    private List<String> raise(Lease lease, Mandates mandates, Also also) {
        try {
            return raise(mandates, null, also);
        } catch (TokenSourceException e) {
            if (e.problem() != TokenSourceException.Problem.HISTORY_LOST) {
                throw e;
            }
            // The database may have forgotten newer seals. Who the newest holder is only the lease service can still
            // say.
            long timeline = timeline();
            lease.confirm();
            return raise(mandates, timeline, also);
        }
    }

    private List<String> raise(Mandates mandates, @Nullable Long confirmedOn, Also also) {
        return change(mandates, (c, wait) -> {
            List<String> raised = guard.seal(c, mandates, settings.label(), wait, confirmedOn);
            also.run(c);
            return raised;
        });
    }

    /**
     * Read before the lease is confirmed, and named afterwards: a holder that is confirmed, then superseded, and then meets a
     * database that has forgotten its successor must not pass for confirmed.
     */
    private long timeline() {
        try (OwnTransaction transaction = OwnTransaction.begin(dataSource)) {
            return guard.timeline(transaction.connection());
        } catch (SQLException e) {
            throw Refusals.ofStore(e, "the timeline of the database could not be read");
        }
    }

    private <T> T change(Mandates mandates, Change<T> change) {
        if (settings.evictAfter().isEmpty()) {
            return change(mandates, settings.sealWait(), change);
        }
        Duration patience = settings.evictAfter().get();
        try {
            return change(mandates, patience, change);
        } catch (BusyException e) {
            evict(mandates);
            return change(mandates, settings.sealWait().minus(patience), change);
        }
    }

    private void evict(Mandates mandates) {
        try (OwnTransaction transaction = OwnTransaction.begin(dataSource)) {
            guard.evict(transaction.connection(), mandates);
        } catch (SQLException e) {
            throw Refusals.ofStore(e, "who is in the way of the seal of " + mandates + " could not be ended");
        }
    }

    /** A change of a guard is a transaction of its own, committed before the holder reads anything. */
    private <T> T change(Mandates mandates, Duration longest, Change<T> change) {
        Duration left = mandates.remaining().orElse(longest);
        try (OwnTransaction transaction = OwnTransaction.begin(dataSource)) {
            T changed = change.apply(transaction.connection(), left.compareTo(longest) < 0 ? left : longest);
            transaction.commit(mandates, null, settings.commitWait());
            return changed;
        } catch (SQLException e) {
            throw Refusals.ofGuard(e, mandates);
        }
    }

    /** Does {@code step} and tells the listener if it ends in a refusal or in the unknown. */
    <T, X extends Exception> T reporting(Mandates mandates, Step<T, X> step) throws X {
        try {
            return step.take();
        } catch (OutcomeUnknownException e) {
            mandates.resources().forEach(resource -> events.unknown(mandates.grant(resource), resource, e));
            throw e;
        } catch (BusyException e) {
            throw e; // not now is no refusal
        } catch (FenceException e) {
            String resource = mandates.resourceOf(e);
            events.refused(mandates.grant(resource), resource, e);
            throw e;
        }
    }

    DataSource dataSource() {
        return dataSource;
    }

    /** How it was made. */
    public JdbcFenceSettings settings() {
        return settings;
    }

    GuardFunctions guard() {
        return guard;
    }

    GuardCheck check() {
        return check;
    }

    interface Step<T, X extends Exception> {
        T take() throws X;
    }

    interface Also {
        void run(Connection connection) throws SQLException;
    }

    private interface Change<T> {
        T apply(Connection connection, Duration wait) throws SQLException;
    }
}
