package dev.fence.s3;

import dev.fence.WriteId;
import dev.fence.WriteOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a body writes with: one object, by name of the resource. What the body stages takes effect after it has returned, with
 * one conditional request, or not at all. Good for the body's own thread, until the body ends.
 */
public final class ObjectSlot {

    private static final Logger LOG = LoggerFactory.getLogger(ObjectSlot.class);

    /** What a body wants to be in the slot. */
    sealed interface Staged {
        @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
        record Value(byte[] bytes) implements Staged {}

        record Published(Payload payload) implements Staged {}

        record Deleted() implements Staged {}
    }

    private final ObjectWriter writer;
    private final Patience patience;
    private final UUID id = UUID.randomUUID();
    private final List<Consumer<WriteOutcome>> listeners = new ArrayList<>();
    private @Nullable Staged staged;
    private @Nullable Known read;
    private boolean ended;
    private boolean overtaken;
    private WriteOutcome outcome = WriteOutcome.REFUSED;

    ObjectSlot(ObjectWriter writer, Patience patience) {
        this.writer = writer;
        this.patience = patience;
    }

    /**
     * Reads the slot: what is in it, empty if it was never written or is deleted. What is staged in this body is not seen. The
     * write of this body then takes effect only if nobody, also no thread of the same holder, has written since.
     *
     * @throws dev.fence.FenceException as {@link ObjectWriter#call} does, but the outcome is never unknown
     */
    public Optional<ObjectValue> read() {
        requireOpen();
        Slots.Slot slot = writer.readAsHolder(patience);
        read = slot.known();
        return writer.value(slot);
    }

    /**
     * Stages a value. The array is not copied: leave it alone until the call ends.
     *
     * @throws IllegalArgumentException if it has more than 16 MiB
     * @throws IllegalStateException if the body staged something before
     */
    public void put(byte[] bytes) {
        stage(new Staged.Value(Limits.value(bytes)));
    }

    /**
     * Stages a large value: after the body, it is uploaded under a key of its own, named by the write, and then the slot is
     * made to point at it. If the slot refuses, the upload is removed again; if the outcome is unknown, it stays.
     *
     * @throws IllegalStateException if the body staged something before
     */
    public void publish(Payload payload) {
        stage(new Staged.Published(payload));
    }

    /**
     * Stages that the slot is empty. The guard stays: a stamped tombstone takes the value's place.
     *
     * @throws IllegalStateException if the body staged something before
     */
    public void delete() {
        stage(new Staged.Deleted());
    }

    /**
     * The id of this body's write, to be stored with the intent, so that another process can {@link S3Fence#verify} it after a
     * crash. May read the slot once.
     */
    public WriteId writeId() {
        requireOpen();
        long base = (read == null ? writer.base(patience) : read).stamp().sequence();
        return new WriteIds(id, false, base + 1).text();
    }

    /**
     * Has {@code listener} called once on this thread, when the outcome of the body's write is certain or known to be unknown,
     * before the call returns or throws. Compensate only on {@link WriteOutcome#REFUSED}. It is not called if the body staged
     * nothing. Its exceptions are logged.
     */
    public void onOutcome(Consumer<WriteOutcome> listener) {
        requireOpen();
        listeners.add(listener);
    }

    UUID id() {
        return id;
    }

    Patience patience() {
        return patience;
    }

    @Nullable
    Staged staged() {
        return staged;
    }

    /** What the write must replace; null if whatever the holder's own threads wrote may be replaced. */
    @Nullable
    Known base() {
        return read;
    }

    void end() {
        ended = true;
    }

    /** Another write of the same holder came between this body's read and its write. */
    void markOvertaken() {
        overtaken = true;
    }

    boolean wasOvertaken() {
        return overtaken;
    }

    void decide(WriteOutcome newOutcome) {
        outcome = newOutcome;
    }

    void tell() {
        for (Consumer<WriteOutcome> listener : staged == null ? List.<Consumer<WriteOutcome>>of() : listeners) {
            try {
                listener.accept(outcome);
            } catch (RuntimeException e) {
                LOG.warn("an outcome listener of resource {} failed", writer.resource(), e);
            }
        }
    }

    private void stage(Staged what) {
        requireOpen();
        if (staged != null) {
            throw new IllegalStateException("the body has staged a write already: one body writes once");
        }
        staged = what;
    }

    private void requireOpen() {
        if (ended) {
            throw new IllegalStateException("the body has ended: a slot is good within its body alone");
        }
    }
}
