package dev.fence.s3;

import dev.fence.BusyException;
import dev.fence.FenceEvents;
import dev.fence.FenceException;
import dev.fence.Grant;
import dev.fence.GuardMissingException;
import dev.fence.UnsupportedStoreException;
import org.jspecify.annotations.Nullable;

/** One store as fences, writers and readers share it. */
record Slots(ObjectStore store, Payloads payloads, S3FenceSettings settings, FenceEvents events, Patience.Clock clock) {

    /** A slot as it was read. */
    @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
    record Slot(Known known, byte[] value) {}

    String key(String resource) {
        return settings.prefix() + resource;
    }

    Patience patience() {
        return new Patience(clock, settings.patience());
    }

    /**
     * Reads a slot.
     *
     * @param who for whom, to be named in the refusal; null for somebody who only reads
     * @return null if there is no object at all
     * @throws GuardMissingException if there is an object without a stamp
     * @throws UnsupportedStoreException if the store does not let us read, or the stamp is not understood
     * @throws BusyException if the store did not answer in time
     */
    @Nullable
    Slot read(String resource, @Nullable Grant who, Patience patience) {
        ObjectStore.Get.Found found = find(resource, patience);
        if (found == null) {
            return null;
        }
        Envelope.Read read = Envelope.read(found.bytes());
        if (read instanceof Envelope.Read.Stamped stamped) {
            return new Slot(new Known(found.tag(), stamped.stamp()), stamped.value());
        }
        if (read instanceof Envelope.Read.Unreadable unreadable) {
            throw Commit.unreadable(key(resource), unreadable);
        }
        throw guardMissing(
                resource,
                who,
                new IllegalStateException("the object under \"" + key(resource)
                        + "\" has no stamp: adopt it, or find out who wrote over it"));
    }

    /** The object behind a resource, stamped or not; null if there is none. */
    ObjectStore.Get.@Nullable Found find(String resource, Patience patience) {
        return findKey(key(resource), patience);
    }

    ObjectStore.Get.@Nullable Found findKey(String key, Patience patience) {
        Throwable last;
        do {
            ObjectStore.Get answer = store.get(key);
            if (answer instanceof ObjectStore.Get.Found found) {
                return found;
            }
            if (answer instanceof ObjectStore.Get.Missing) {
                return null;
            }
            if (answer instanceof ObjectStore.Get.Rejected rejected) {
                throw Commit.rejected(rejected.cause());
            }
            last = ((ObjectStore.Get.Failed) answer).cause();
        } while (patience.pause());
        throw new BusyException("object \"" + key + "\" could not be read in time", last);
    }

    static GuardMissingException guardMissing(String resource, @Nullable Grant who, @Nullable Throwable cause) {
        return who == null
                ? new GuardMissingException(resource, cause)
                : new GuardMissingException(resource, who, cause);
    }

    /** Tells the listeners of a refusal and returns it. */
    FenceException refused(Grant grant, String resource, FenceException refusal) {
        events.refused(grant, resource, refusal);
        return refusal;
    }
}
