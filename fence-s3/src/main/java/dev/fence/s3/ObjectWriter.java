package dev.fence.s3;

import dev.fence.BusyException;
import dev.fence.FenceException;
import dev.fence.FencedWriter;
import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.OutcomeUnknownException;
import dev.fence.WriteOutcome;
import dev.fence.spi.Checks;
import dev.fence.spi.Mandate;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes one object under one grant. In steady state a write is one request: the writer remembers the tag of its last write
 * and makes the next one conditional on it. If the condition fails it looks who wrote: another thread or process under the
 * same grant, and the write is built anew on top of that; anybody else, and the write is refused.
 *
 * <p>Safe for use by several threads. Bodies run side by side; their requests go one after the other, since of two requests on
 * one tag only one can succeed.
 */
public final class ObjectWriter implements FencedWriter<ObjectSlot> {

    private static final Logger LOG = LoggerFactory.getLogger(ObjectWriter.class);

    private final Slots slots;
    private final String resource;
    private final Mandate mandate;
    private final ReentrantLock sending = new ReentrantLock(true);

    /** The newest stamp of our own grant that we have seen; every write replaces it. */
    private volatile @Nullable Known known;

    ObjectWriter(Slots slots, String resource, Mandate mandate, @Nullable Known known) {
        this.slots = slots;
        this.resource = resource;
        this.mandate = mandate;
        this.known = known;
    }

    @Override
    public String resource() {
        return resource;
    }

    @Override
    public Grant grant() {
        return mandate.grant();
    }

    /**
     * Runs {@code body} once. If the body read the slot and another thread of the same holder wrote meanwhile, it ends in
     * {@link BusyException}; {@link #update} runs again instead.
     *
     * <p>It also returns if the write took effect and a newer holder has sealed since: then the next call is refused, and
     * {@link ObjectSlot#onOutcome} is told {@link WriteOutcome#APPLIED_THEN_SUPERSEDED}.
     */
    @Override
    public <R extends @Nullable Object, X extends Exception> R call(Call<? super ObjectSlot, R, X> body) throws X {
        Lease.Work work = mandate.begin();
        try {
            return run(new ObjectSlot(this, slots.patience()), body);
        } finally {
            work.close();
        }
    }

    /** From what is in the slot to what shall be in it. */
    @FunctionalInterface
    public interface Change<X extends Exception> {
        /**
         * Makes the new value.
         *
         * @param present empty if the slot was never written or is deleted
         */
        byte[] apply(Optional<ObjectValue> present) throws X;
    }

    /**
     * Reads, changes and writes the value. {@code change} runs again, on the new value, as often as another thread or process
     * under the same grant was faster; so it must have no effect but its result.
     *
     * @return what was written
     * @throws X what the change threw; nothing has changed
     * @throws FenceException as {@link #call}; busy if others were faster for as long as the settings' patience
     */
    public <X extends Exception> byte[] update(Change<X> change) throws X {
        Lease.Work work = mandate.begin();
        try {
            Patience patience = slots.patience();
            while (true) {
                ObjectSlot slot = new ObjectSlot(this, patience);
                try {
                    return run(slot, s -> {
                        byte[] changed = change.apply(s.read());
                        s.put(changed);
                        return changed;
                    });
                } catch (BusyException e) {
                    if (!slot.wasOvertaken() || !patience.pause()) {
                        throw e;
                    }
                }
            }
        } finally {
            work.close();
        }
    }

    /**
     * Removes payloads of this resource that nothing points at and nothing can come to point at: those of older holders, whose
     * writes can land no more, and those of writes of this grant that are known to have been replaced. What an outcome that is
     * still unknown may need stays.
     *
     * @param age how long ago they were uploaded at least, by the store's clock to the second, zero to 365 days; give readers that have
     *     just read the slot the time to open what it pointed at
     * @return how many were removed
     * @throws FenceException if the slot cannot be read under this grant, or the store does not let us list or remove
     */
    public int purge(Duration age) {
        Checks.duration("age", age, Duration.ZERO, Duration.ofDays(365));
        Lease.Work work = mandate.begin();
        try {
            Slots.Slot slot = readAsHolder(slots.patience());
            return slots.payloads().purge(slots.key(resource), slot.known().stamp(), age);
        } finally {
            work.close();
        }
    }

    private <R extends @Nullable Object, X extends Exception> R run(
            ObjectSlot slot, Call<? super ObjectSlot, R, X> body) throws X {
        try {
            R result = body.run(slot);
            slot.end();
            ObjectSlot.Staged staged = slot.staged();
            if (staged != null) {
                write(slot, staged);
            }
            return result;
        } finally {
            slot.end();
            slot.tell();
        }
    }

    private void write(ObjectSlot slot, ObjectSlot.Staged staged) {
        Payloads.@Nullable Uploaded uploaded = staged instanceof ObjectSlot.Staged.Published published
                ? slots.payloads().upload(slots.key(resource), grant(), slot.id(), published.payload())
                : null;
        // Unknown until proven otherwise, whatever may escape from here: only a proven refusal permits compensation.
        slot.decide(WriteOutcome.UNKNOWN);
        try {
            slot.decide(writeInTurn(slot, content(staged, uploaded), value(staged)));
        } catch (OutcomeUnknownException e) {
            throw e;
        } catch (FenceException e) {
            slot.decide(WriteOutcome.REFUSED);
            if (uploaded != null) {
                slots.payloads().remove(uploaded.key());
            }
            throw e;
        }
    }

    private static Stamp.Content content(ObjectSlot.Staged staged, Payloads.@Nullable Uploaded uploaded) {
        if (uploaded != null) {
            return new Stamp.Content.Payload(uploaded.key(), uploaded.length());
        }
        return staged instanceof ObjectSlot.Staged.Value value
                ? new Stamp.Content.Value(value.bytes().length)
                : new Stamp.Content.Tombstone();
    }

    private static byte[] value(ObjectSlot.Staged staged) {
        return staged instanceof ObjectSlot.Staged.Value value ? value.bytes() : new byte[0];
    }

    private WriteOutcome writeInTurn(ObjectSlot slot, Stamp.Content content, byte[] value) {
        boolean locked = false;
        try {
            locked = sending.tryLock(slot.patience().leftNanos(), TimeUnit.NANOSECONDS);
            if (!locked) {
                throw new BusyException("other writes to \"" + resource + "\" did not end in time", null);
            }
            return write(slot, content, value);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BusyException("interrupted while waiting for other writes to \"" + resource + "\"", e);
        } finally {
            if (locked) {
                sending.unlock();
            }
        }
    }

    private WriteOutcome write(ObjectSlot slot, Stamp.Content content, byte[] value) {
        do {
            Known fromBody = slot.base();
            Known base = fromBody == null ? base(slot.patience()) : fromBody;
            // The upload or the wait may have outlasted the lease.
            mandate.begin().close();
            Stamp next = base.stamp().next(slot.id(), content);
            Commit.Result result = new Commit(
                            slots.store(),
                            slots.key(resource),
                            new ObjectStore.Condition.Tag(base.tag()),
                            next,
                            value,
                            slot.patience())
                    .run();
            if (result instanceof Commit.Result.Landed landed) {
                known = landed.now();
                return WriteOutcome.APPLIED;
            }
            if (result instanceof Commit.Result.Superseded superseded) {
                LOG.warn(
                        "write {} to {} under {} was applied, then superseded by {}",
                        slot.id(),
                        resource,
                        grant(),
                        superseded.now().stamp().grant());
                return WriteOutcome.APPLIED_THEN_SUPERSEDED;
            }
            known = overtaking(result, next);
            if (fromBody != null) {
                slot.markOvertaken();
                break;
            }
        } while (slot.patience().pause());
        throw new BusyException("other writes of the same holder to \"" + resource + "\" were faster", null);
    }

    /** The write of our own holder that was faster; everything else is thrown. */
    private Known overtaking(Commit.Result result, Stamp next) {
        if (result instanceof Commit.Result.Refused refused) {
            Grant guard = refused.now().known().stamp().grant();
            FenceException refusal = Guard.refusesWrite(resource, guard, mandate);
            if (refusal == null) {
                return refused.now().known();
            }
            throw slots.refused(grant(), resource, refusal);
        }
        throw failure(slots, resource, grant(), next, result);
    }

    /** What is thrown for a result that leaves nothing to go on with. */
    static FenceException failure(Slots slots, String resource, Grant grant, Stamp next, Commit.Result result) {
        if (result instanceof Commit.Result.Gone gone) {
            return slots.refused(grant, resource, Slots.guardMissing(resource, grant, gone.cause()));
        }
        if (result instanceof Commit.Result.NotDone notDone) {
            return notDone.why();
        }
        Throwable cause = result instanceof Commit.Result.Unknown unknown ? unknown.cause() : null;
        OutcomeUnknownException outcome = new OutcomeUnknownException(
                resource, grant, new WriteIds(next.writeId(), true, next.sequence()).text(), cause);
        slots.events().unknown(grant, resource, outcome);
        return outcome;
    }

    /** What the next write replaces, read if nothing is known yet. */
    Known base(Patience patience) {
        Known remembered = known;
        return remembered == null ? readAsHolder(patience).known() : remembered;
    }

    /** The slot, which carries our own grant. */
    Slots.Slot readAsHolder(Patience patience) {
        Slots.Slot slot = slots.read(resource, grant(), patience);
        if (slot == null) {
            throw slots.refused(grant(), resource, Slots.guardMissing(resource, grant(), null));
        }
        FenceException refusal =
                Guard.refusesWrite(resource, slot.known().stamp().grant(), mandate);
        if (refusal != null) {
            throw slots.refused(grant(), resource, refusal);
        }
        remember(slot.known());
        return slot;
    }

    /** A read may be overtaken by a write of another thread, which knows better. */
    private synchronized void remember(Known seen) {
        Known newest = known;
        if (newest == null || seen.stamp().sequence() > newest.stamp().sequence()) {
            known = seen;
        }
    }

    Optional<ObjectValue> value(Slots.Slot slot) {
        return slots.payloads().value(slot);
    }
}
