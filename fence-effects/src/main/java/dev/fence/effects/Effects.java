package dev.fence.effects;

import dev.fence.Lease;
import dev.fence.jdbc.JdbcFence;
import dev.fence.spi.Checks;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Effects on what cannot check a token, such as a payment gateway or a mail server.
 *
 * <p><b>What it cannot do.</b> No lock and no token stops a call that a paused process makes when it wakes up. With a provider that
 * honours idempotency keys an effect happens once, because the same key goes along whoever calls. With one that does not, it is
 * called at most once, and what cannot be decided is left for a person ({@link EffectDesk}). Nothing is lost silently.
 *
 * <p><b>The protocol.</b> Each effect has an entry in a journal in PostgreSQL. The journal of a lease is a resource of its own,
 * {@code effects/<lease name>}; every step is a fenced write under its guard, so that a former holder cannot write in it.
 *
 * <ol>
 *   <li>What is to be done is durable before anything is done: planned.
 *   <li>That a call leaves is durable before it leaves: sent. It leaves only if the lease is good for longer than the call may
 *       take.
 *   <li>The answer is written down: done, refused for sure, or unknown. Time-outs and whatever nobody has mapped are unknown.
 *   <li>Who finds an effect that is sent or unknown looks into the provider's books first. Only with a provider that knows the
 *       key again it is called again, with the same key.
 * </ol>
 *
 * <p>Intents before actions, and asking before repeating, are the recovery of write-ahead logging (Mohan et al., ARIES, 1992)
 * and of Helland, "Life beyond Distributed Transactions" (2007).
 *
 * <p>Safe for use by several threads; of two threads that run one effect at the same time, one is told that the other is at it.
 */
public final class Effects {

    private static final int PAGE = 500;

    private final Guards guards;
    private final BiFunction<Lease, String, Journal> journals;
    private final String schema;
    private final Patience patience;

    /** Makes the guard of a journal. */
    interface Guards {
        boolean create(Lease lease, String resource);
    }

    /** Told after each effect of a batch, on the thread that runs it. */
    @FunctionalInterface
    public interface Progress {

        /** Nobody is told. */
        Progress NONE = (item, outcome, soFar) -> {};

        void after(String item, Outcome<?> outcome, Totals soFar);
    }

    /** Also for the simulation: another journal, and another time. */
    Effects(Guards guards, BiFunction<Lease, String, Journal> journals, String schema, Patience patience) {
        this.guards = guards;
        this.journals = journals;
        this.schema = schema;
        this.patience = patience;
    }

    /** Effects whose journal is in the database of {@code fence}, where {@code fence-migrations} has put it. */
    public static Effects on(JdbcFence fence) {
        String schema = fence.settings().schema();
        return new Effects(
                fence::create,
                (lease, resource) -> new PostgresJournal(fence.seal(lease, resource), schema),
                schema,
                Patience.REAL);
    }

    /**
     * Creates the guard of a lease's journal: a step of its own, once in the journal's life, with the lease confirmed.
     *
     * @return false if it exists
     * @see dev.fence.Fence#create
     */
    public boolean create(Lease lease) {
        return guards.create(lease, resource(lease.name()));
    }

    /**
     * Plans an effect in a transaction of the caller's: it is to be done if and only if that transaction commits, which a {@link
     * dev.fence.FencedWriter} must see to. It is executed by the next {@link #resume} or {@link #run} under the lease. Planning the
     * same again changes nothing.
     *
     * @param transaction in a transaction, such as in the body of a fenced write
     * @param leaseName whose holder is to execute it
     * @throws PayloadMismatchException if something else was planned under this key; the transaction should be rolled back
     * @throws IllegalArgumentException if an argument breaks its rule, or the key is in the journal of another lease
     * @throws SQLException if the database refuses
     */
    public <Q> void plan(
            Connection transaction, String leaseName, EffectChannel<Q, ?> channel, String businessKey, Q request)
            throws SQLException {
        if (transaction.getAutoCommit()) {
            throw new IllegalArgumentException(
                    "the connection is in auto-commit: planning belongs in a transaction that"
                            + " commits what the effect is for");
        }
        resource(leaseName);
        Intake<Q> intake = new Intake<>(channel, leaseName).add(businessKey, request);
        ChannelTraits traits = channel.traits();
        intake.requireSame(PostgresJournal.plan(
                transaction, schema, leaseName, traits.effect(), traits.keyed(), null, intake.plans()));
    }

    /**
     * Plans an effect, if it was not, and drives it as far as it goes now: at most three calls. Called again, by whoever holds the
     * lease then, it goes on where it stood; an effect that is over is not called again.
     *
     * @throws PayloadMismatchException if something else was planned under this key; nothing was called
     * @throws dev.fence.FenceException if the lease is over, another holder has sealed, or the journal could not be reached; what was
     *     called is written down at least as sent
     * @throws InterruptedException if interrupted; a call under way counts as unknown
     */
    public <Q, R> Outcome<R> run(Lease lease, EffectChannel<Q, R> channel, String businessKey, Q request)
            throws InterruptedException {
        Intake<Q> intake = new Intake<>(channel, lease.name()).add(businessKey, request);
        Batch<R> batch = new Batch<>(Progress.NONE);
        plannedThenDriven(lease, channel, intake, null, batch);
        return batch.only();
    }

    /**
     * Runs a list of effects under one run id, such as a payroll: all are planned in one transaction, then those that were called
     * before are looked up, then the rest is called, one after the other. A second run of the same id, on whatever node, calls
     * only what is left.
     *
     * @param runId 1 to 200 UTF-8 bytes without {@code /}; the business key of an item is {@code runId/item}
     * @param items by the item's id, in the order in which they are to be called
     * @throws PayloadMismatchException if the run was planned with another list or another payload; nothing was called
     * @throws dev.fence.FenceException and InterruptedException as for {@link #run}; the next run goes on
     */
    public <Q, R> BatchReport<R> runBatch(
            Lease lease, EffectChannel<Q, R> channel, String runId, Map<String, Q> items, Progress progress)
            throws InterruptedException {
        if (runId.isBlank() || runId.indexOf('/') >= 0) {
            throw new IllegalArgumentException(
                    "run id \"" + runId + "\" is blank or has a /: 1 to 200 bytes without / are permitted");
        }
        Intake<Q> intake = new Intake<>(channel, lease.name());
        items.forEach((item, request) -> intake.add(runId + "/" + item, request));
        Batch<R> batch = new Batch<>(progress, runId.length() + 1);
        plannedThenDriven(lease, channel, intake, runId, batch);
        return batch.report();
    }

    /**
     * Drives everything of a channel that is not over in the lease's journal: what was planned in the caller's transactions, and
     * what a former holder left. The report is by business key.
     *
     * @throws dev.fence.FenceException and InterruptedException as for {@link #run}
     */
    public <Q, R> BatchReport<R> resume(Lease lease, EffectChannel<Q, R> channel, Progress progress)
            throws InterruptedException {
        Journal journal = journals.apply(lease, resource(lease.name()));
        Batch<R> batch = new Batch<>(progress);
        String effect = channel.traits().effect();
        List<EffectEntry> page = journal.open(effect, "", PAGE);
        while (!page.isEmpty()) {
            drive(lease, journal, channel, page, batch);
            page = journal.open(effect, page.get(page.size() - 1).key().text(), PAGE);
        }
        return batch.report();
    }

    /**
     * Closes an effect that is sent or unknown on what the provider's own books say, such as a line of its statement: the same step
     * as that of a lookup that found it, and under the same rules. An effect that stands elsewhere, or is in the journal of another
     * lease, is left as it is: what is for a person is decided at the {@link EffectDesk}.
     *
     * @return where it stands now; only {@link Outcome.Done} says that it is closed
     * @throws IllegalArgumentException if the key is not of the channel's effect
     * @throws IllegalStateException if the journal has no such effect
     * @throws dev.fence.FenceException as for {@link #run}
     */
    public <Q, R> Outcome<R> confirm(Lease lease, EffectChannel<Q, R> channel, EffectKey key, Found.Happened<R> found) {
        if (!key.effect().equals(channel.traits().effect())) {
            throw new IllegalArgumentException("effect " + key + " is not one of channel "
                    + channel.traits().effect());
        }
        Journal journal = journals.apply(lease, resource(lease.name()));
        Execution<Q, R> execution =
                new Execution<>(journal, new Provider<>(channel, patience), new LeaseBudget(lease, patience), patience);
        EffectEntry entry = journal.read(key);
        UUID holder = lease.grant().holder();
        if (!entry.journal().equals(lease.name()) || !InFlight.enter(holder, key)) {
            return execution.standing(entry);
        }
        try {
            Lease.Work work = lease.begin();
            try (work) {
                return execution.confirm(entry, found);
            }
        } finally {
            InFlight.leave(holder, key);
        }
    }

    private <Q, R> void plannedThenDriven(
            Lease lease, EffectChannel<Q, R> channel, Intake<Q> intake, @Nullable String runId, Batch<R> batch)
            throws InterruptedException {
        Journal journal = journals.apply(lease, resource(lease.name()));
        ChannelTraits traits = channel.traits();
        List<Journal.Planned> found =
                journal.plan(traits.effect(), traits.keyed(), runId, intake.plans(), intake::requireSame);
        Map<EffectKey, EffectEntry> byKey = new HashMap<>();
        found.forEach(planned -> byKey.put(planned.entry().key(), planned.entry()));
        List<EffectEntry> inOrder = new ArrayList<>();
        intake.plans().forEach(plan -> inOrder.add(Objects.requireNonNull(byKey.get(plan.key()))));
        drive(lease, journal, channel, inOrder, batch);
    }

    /** What may have been called comes first: a successor looks before it acts. */
    private <Q, R> void drive(
            Lease lease, Journal journal, EffectChannel<Q, R> channel, List<EffectEntry> entries, Batch<R> batch)
            throws InterruptedException {
        Provider<Q, R> provider = new Provider<>(channel, patience);
        LeaseBudget budget = new LeaseBudget(lease, patience);
        for (boolean called : new boolean[] {true, false}) {
            for (EffectEntry entry : entries) {
                if (mayHaveBeenCalled(entry) == called) {
                    batch.add(entry, drive(lease, entry, new Execution<>(journal, provider, budget, patience)));
                }
            }
        }
    }

    private static <Q, R> Outcome<R> drive(Lease lease, EffectEntry entry, Execution<Q, R> execution)
            throws InterruptedException {
        UUID holder = lease.grant().holder();
        if (!InFlight.enter(holder, entry.key())) {
            return new Outcome.Unknown<>("another thread is at it");
        }
        try {
            Lease.Work work = lease.begin(); // the lease is not given back while a call is under way
            try (work) {
                return execution.drive(entry);
            }
        } finally {
            InFlight.leave(holder, entry.key());
        }
    }

    private static boolean mayHaveBeenCalled(EffectEntry entry) {
        return entry.state() == EffectState.SENT || entry.state() == EffectState.UNKNOWN;
    }

    private static String resource(String leaseName) {
        return Checks.name("the journal's resource name", PostgresJournal.resource(leaseName));
    }
}
