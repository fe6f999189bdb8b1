package dev.fence.effects;

import dev.fence.Lease;
import dev.fence.effects.SlotJournal.Move;
import dev.fence.effects.SlotJournal.Moved;
import dev.fence.jdbc.JdbcFence;
import dev.fence.spi.Checks;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Runs each slot of a scheduled job once, whoever starts it and how often.
 *
 * <p>A slot is a job and a <b>scheduled</b> time: what the schedule says, such as 02:30 of the 29th, and not when somebody's clock
 * rang. Two nodes whose clocks differ name the same slot, and the second one is told what became of it. In local time the caller
 * decides which instant is meant: {@code date.atTime(2, 30).atZone(zone).toInstant()} is one instant for each day, also in the
 * night that has 02:30 twice (the first) and in the one that does not have it (03:30).
 *
 * <p>A slot is on record in the journal of the lease (see {@link Effects#create}), and every step is a fenced write. A holder that lost its
 * lease while a slot ran cannot end it, and the next holder starts it again: work in a slot therefore consists of fenced writes
 * and of {@link Effects}, which stand that.
 *
 * <p>Safe for use by several threads.
 */
public final class Slots {

    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

    private final JdbcFence fence;

    /** The work of a slot. */
    @FunctionalInterface
    public interface Work<X extends Exception> {
        void run(Slot slot) throws X, InterruptedException;
    }

    private Slots(JdbcFence fence) {
        this.fence = fence;
    }

    /** Slots in the database of {@code fence}. */
    public static Slots on(JdbcFence fence) {
        return new Slots(fence);
    }

    /**
     * Runs a slot, unless it was run. A slot that a former holder left running is started again. If the work throws, the slot has failed, and
     * stays so until {@link #rerun}.
     *
     * @param job 1 to 255 UTF-8 bytes; always under the same lease
     * @param scheduled the time in the schedule: whole seconds, since the time of a clock that rang is not one
     * @param overlap if another slot of the job is running under this lease
     * @throws dev.fence.FenceException if the lease is over, another holder has sealed, or the journal could not be reached; whether the
     *     slot's work counts, the next holder decides by running it again
     * @throws X what the work throws
     */
    public <X extends Exception> SlotOutcome once(
            Lease lease, String job, Instant scheduled, Overlap overlap, Work<X> work) throws X, InterruptedException {
        return start(lease, "start", job, scheduled, overlap, work);
    }

    /** Runs a slot again that failed or was skipped: because somebody says so, never by itself. Otherwise as {@link #once}. */
    public <X extends Exception> SlotOutcome rerun(
            Lease lease, String job, Instant scheduled, Overlap overlap, Work<X> work) throws X, InterruptedException {
        return start(lease, "rerun", job, scheduled, overlap, work);
    }

    /**
     * Deals with slots that nobody ran in time. Which ones these are the schedule says; those that are on record already are left
     * alone.
     *
     * @param scheduled the earliest first; at most 10,000
     * @return for each, what became of it; what the work throws ends it, and the rest is untouched
     */
    public <X extends Exception> List<SlotOutcome> missed(
            Lease lease, String job, List<Instant> scheduled, MissedSlots choice, Work<X> work)
            throws X, InterruptedException {
        requireInOrder(scheduled);
        List<SlotOutcome> outcomes = new ArrayList<>();
        for (int i = 0; i < scheduled.size(); i++) {
            boolean latest = i == scheduled.size() - 1;
            boolean run = choice == MissedSlots.RUN_ALL || (choice == MissedSlots.RUN_LATEST && latest);
            outcomes.add(
                    run
                            ? once(lease, job, scheduled.get(i), Overlap.skip(), work)
                            : skip(journal(lease), job, scheduled.get(i), "missed; the choice is " + choice));
        }
        return outcomes;
    }

    /**
     * The slots on record, the latest first.
     *
     * @param limit 1 to 10,000
     */
    public List<Slot> list(Lease lease, String job, int limit) {
        if (limit < 1 || limit > SlotJournal.MAX_LIST) {
            throw new IllegalArgumentException(
                    "limit " + limit + " is out of range: 1 to " + SlotJournal.MAX_LIST + " is permitted");
        }
        return journal(lease).list(Checks.name("job", job), limit);
    }

    private <X extends Exception> SlotOutcome start(
            Lease lease, String evidence, String job, Instant scheduled, Overlap overlap, Work<X> work)
            throws X, InterruptedException {
        requireSlot(job, scheduled);
        SlotJournal journal = journal(lease);
        Move start = new Move(job, scheduled, SlotState.RUNNING, evidence, UUID.randomUUID(), "");
        Moved started = untilNoOverlap(journal, start, overlap);
        if (!started.moved()) {
            Slot inTheWay = started.slot();
            return inTheWay.scheduledAt().equals(scheduled)
                    ? new SlotOutcome.NotAgain(inTheWay)
                    : skip(journal, job, scheduled, inTheWay + " was still running");
        }
        Lease.Work holding = lease.begin(); // the lease is not given back while the work runs
        try (holding) {
            work.run(started.slot());
        } catch (Throwable failure) {
            end(journal, start, SlotState.FAILED, failure);
            throw failure;
        }
        return new SlotOutcome.Ran(
                journal.move(start.to(SlotState.DONE, "end", "")).slot());
    }

    private static void end(SlotJournal journal, Move start, SlotState state, Throwable failure) {
        try {
            journal.move(start.to(state, "end", String.valueOf(failure)));
        } catch (RuntimeException e) {
            failure.addSuppressed(e); // it stays running, and the next holder starts it again
        }
    }

    private static Moved untilNoOverlap(SlotJournal journal, Move start, Overlap overlap) throws InterruptedException {
        long deadline = System.nanoTime()
                + (overlap instanceof Overlap.Queue queue ? queue.atMost().toNanos() : 0);
        Moved moved = journal.move(start);
        while (!moved.moved()
                && !moved.slot().scheduledAt().equals(start.scheduled())
                && System.nanoTime() < deadline) {
            Patience.REAL.pause(LOOK_AGAIN);
            moved = journal.move(start);
        }
        return moved;
    }

    private static SlotOutcome skip(SlotJournal journal, String job, Instant scheduled, String why) {
        Moved moved = journal.move(new Move(job, scheduled, SlotState.SKIPPED, "skip", UUID.randomUUID(), why));
        return moved.moved() ? new SlotOutcome.Skipped(moved.slot()) : new SlotOutcome.NotAgain(moved.slot());
    }

    private SlotJournal journal(Lease lease) {
        return new SlotJournal(
                fence.seal(lease, PostgresJournal.resource(lease.name())),
                fence.settings().schema());
    }

    private static void requireSlot(String job, Instant scheduled) {
        Checks.name("job", job);
        if (!scheduled.equals(scheduled.truncatedTo(ChronoUnit.SECONDS))) {
            throw new IllegalArgumentException("scheduled " + scheduled
                    + " has a fraction of a second: it must be the time in the schedule, not that of a clock");
        }
    }

    private static void requireInOrder(List<Instant> scheduled) {
        if (scheduled.size() > SlotJournal.MAX_LIST) {
            throw new IllegalArgumentException(
                    scheduled.size() + " slots are too many: at most " + SlotJournal.MAX_LIST + " are permitted");
        }
        for (int i = 1; i < scheduled.size(); i++) {
            if (!scheduled.get(i - 1).isBefore(scheduled.get(i))) {
                throw new IllegalArgumentException("slot " + scheduled.get(i) + " comes after " + scheduled.get(i - 1)
                        + ": the earliest must come first, each once");
            }
        }
    }
}
