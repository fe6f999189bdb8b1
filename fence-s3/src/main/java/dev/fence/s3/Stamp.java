package dev.fence.s3;

import dev.fence.Grant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The guard of a slot, and what tells the outcome of a write afterwards. It is part of the stored bytes, so that every write
 * changes the store's tag of them, also one that stores the same value again.
 *
 * @param grant who sealed the slot last
 * @param writeId the random id of the write that stored these bytes
 * @param sequence how many writes the slot has seen, this one included; each is conditional on the one before it
 * @param sealSequence the sequence of the write that sealed the slot for {@code grant}
 * @param replaced what that seal replaced; null if it created the slot
 * @param earlier the writes before this one, newest first, at most {@value #MAX_EARLIER}, under whatever grant
 * @param content what is in the slot
 */
record Stamp(
        Grant grant,
        UUID writeId,
        long sequence,
        long sealSequence,
        @Nullable UUID replaced,
        List<UUID> earlier,
        Content content) {

    static final int MAX_EARLIER = 16;

    Stamp {
        earlier = List.copyOf(earlier);
        if (sealSequence < 1 || sealSequence > sequence) {
            throw new IllegalArgumentException(
                    "sealed at " + sealSequence + " is out of range: 1 to the sequence " + sequence + " is permitted");
        }
        if ((replaced == null) != (sealSequence == 1)) {
            throw new IllegalArgumentException("a seal replaces a write, unless it is the first of its slot");
        }
        if (earlier.size() != Math.min(sequence - 1, MAX_EARLIER)) {
            throw new IllegalArgumentException(earlier.size() + " earlier writes at sequence " + sequence + ": "
                    + Math.min(sequence - 1, MAX_EARLIER) + " are expected");
        }
    }

    /** The first write of a slot. */
    static Stamp first(Grant grant, UUID writeId, Content content) {
        return new Stamp(grant, writeId, 1, 1, null, List.of(), content);
    }

    /** The next write under the same grant. */
    Stamp next(UUID id, Content newContent) {
        return new Stamp(grant, id, sequence + 1, sealSequence, replaced, pushed(), newContent);
    }

    /** The write that raises the guard to {@code newGrant} and leaves the content as it is. */
    Stamp sealedBy(Grant newGrant, UUID id) {
        return new Stamp(newGrant, id, sequence + 1, sequence + 1, writeId, pushed(), content);
    }

    private List<UUID> pushed() {
        List<UUID> ids = new ArrayList<>(MAX_EARLIER);
        ids.add(writeId);
        ids.addAll(earlier.subList(0, Math.min(earlier.size(), MAX_EARLIER - 1)));
        return ids;
    }

    /** What a slot holds beside its stamp. */
    sealed interface Content {

        /** A value of {@code length} bytes, which follow the stamp. */
        record Value(int length) implements Content {}

        /** A payload object of {@code length} bytes under another key, immutable. */
        record Payload(String key, long length) implements Content {}

        /** Nothing: never written, or deleted. The guard stays. */
        record Tombstone() implements Content {}
    }
}
