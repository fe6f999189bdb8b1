package dev.fence.s3;

import dev.fence.BusyException;
import dev.fence.Fence;
import dev.fence.FenceException;
import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.WriteId;
import dev.fence.WriteOutcome;
import dev.fence.spi.Mandate;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * The fence of one bucket: each resource is a slot, the object of that name. Its guard is a stamp in the object's own bytes,
 * so that guard and value change in one atomic step, and every write changes the tag that the next one is conditional on.
 *
 * <p><b>The protocol</b>, in requests:
 *
 * <ol>
 *   <li>create: {@code PUT If-None-Match: *} of a stamp without a value, once the lease service confirmed the lease.
 *   <li>seal: GET, then {@code PUT If-Match} of the same value under the new grant. The tag that the old holder knows is gone
 *       from then on, so none of its writes can land, also none that is on its way.
 *   <li>write: {@code PUT If-Match} on the tag of the writer's last write: one request.
 *   <li>a failed or lost answer: GET, and the stamp tells whether the write landed ({@link ObjectWriter}).
 *   <li>delete: a write of a stamp without a value. The object itself is never removed, or the guard would go with it.
 * </ol>
 *
 * <p><b>Why the stamp is in the bytes.</b> A token in the metadata beside a bare body does not fence: tags are hashes of the
 * bytes, and where the new holder writes the bytes that the old one wrote, the old one's condition still holds.
 *
 * <p><b>What it rests on.</b> A conditional PUT must be atomic and a GET must see the newest PUT. {@link #on} proves with
 * scratch objects that the store does so as far as that can be seen, and refuses the store otherwise. Nothing rests on DELETE
 * or copy conditions, on metadata, or on clocks. Objects written without fence are out of its reach: a bucket policy can
 * refuse unconditional writes, see {@code docs/objects.md}.
 *
 * <p>Safe for use by several threads. It starts no thread and holds nothing that must be closed; the client is the
 * application's. Its silent retries may be on: what follows a repetition is looked at like a lost answer.
 */
public final class S3Fence implements Fence<ObjectSlot> {

    private final Slots slots;

    S3Fence(Slots slots) {
        this.slots = slots;
    }

    /**
     * {@link #on(S3Client, String, S3FenceSettings)} with {@link S3FenceSettings#DEFAULTS}.
     *
     * @throws dev.fence.UnsupportedStoreException if the store cannot keep a guard; names the check that failed
     * @throws BusyException if the store did not answer
     */
    public static S3Fence on(S3Client client, String bucket) {
        return on(client, bucket, S3FenceSettings.DEFAULTS);
    }

    /**
     * The fence of a bucket, once the store has passed the {@linkplain ProbeReport probe} in this process.
     *
     * @throws dev.fence.UnsupportedStoreException if the store cannot keep a guard; names the check that failed
     * @throws BusyException if the store did not answer
     */
    public static S3Fence on(S3Client client, String bucket, S3FenceSettings settings) {
        return on(Stores.of(client, bucket, settings));
    }

    /**
     * Like {@link #on(S3Client, String, S3FenceSettings)}; the calling thread waits for each request. So never call the fence on
     * a thread that completes the client's futures: the answer would wait for the caller until the request's time is over.
     */
    public static S3Fence on(S3AsyncClient client, String bucket, S3FenceSettings settings) {
        return on(Stores.of(client, bucket, settings));
    }

    private static S3Fence on(Stores stores) {
        stores.requireProbed();
        return new S3Fence(stores.slots());
    }

    /**
     * Probes the store now, whatever is remembered: some two hundred small requests on scratch objects, which are removed.
     *
     * @return every check with what was seen, also those that failed
     * @throws dev.fence.UnsupportedStoreException if the store does not let us probe; lists the permissions
     * @throws BusyException if the store did not answer
     */
    public static ProbeReport probe(S3Client client, String bucket, S3FenceSettings settings) {
        return Stores.of(client, bucket, settings).probe();
    }

    @Override
    public boolean create(Lease lease, String resource) {
        Limits.resource(resource);
        Lease.Work work = lease.begin();
        try {
            lease.confirm();
            return begin(
                    lease, resource, new ObjectStore.Condition.Absent(), new Stamp.Content.Tombstone(), new byte[0]);
        } finally {
            work.close();
        }
    }

    /**
     * Takes an object that was written without fence under guard, sealed by {@code lease}; its bytes become the slot's value.
     * From then on whoever reads it without fence sees the stamp before them: let readers go to {@link FencedObjects}.
     *
     * @return false if it is under guard already, bound to the same source and lease name; it is left as it is
     * @throws dev.fence.GuardMissingException if there is no object
     * @throws IllegalArgumentException if it has more than 16 MiB
     * @throws FenceException as {@link #create}; busy if the object was written meanwhile
     */
    public boolean adopt(Lease lease, String resource) {
        Limits.resource(resource);
        Lease.Work work = lease.begin();
        try {
            lease.confirm();
            ObjectStore.Get.Found found = slots.find(resource, slots.patience());
            if (found == null) {
                throw Slots.guardMissing(
                        resource, lease.grant(), new IllegalStateException("there is no object to adopt"));
            }
            Envelope.Read read = Envelope.read(found.bytes());
            if (read instanceof Envelope.Read.Unreadable unreadable) {
                throw Commit.unreadable(slots.key(resource), unreadable);
            }
            if (read instanceof Envelope.Read.Stamped stamped) {
                return leave(lease, resource, stamped.stamp());
            }
            if (found.length() > Limits.MAX_VALUE_BYTES) {
                throw new IllegalArgumentException("object \"" + slots.key(resource) + "\" has " + found.length()
                        + " bytes: at most " + Limits.MAX_VALUE_BYTES + " can be adopted");
            }
            return begin(
                    lease,
                    resource,
                    new ObjectStore.Condition.Tag(found.tag()),
                    new Stamp.Content.Value(found.bytes().length),
                    found.bytes());
        } finally {
            work.close();
        }
    }

    @Override
    public ObjectWriter seal(Lease lease, String resource) {
        Limits.resource(resource);
        Mandate mandate = Mandate.of(lease);
        Lease.Work work = mandate.begin();
        try {
            Patience patience = slots.patience();
            Slots.Slot slot = slots.read(resource, lease.grant(), patience);
            if (slot == null) {
                throw slots.refused(lease.grant(), resource, Slots.guardMissing(resource, lease.grant(), null));
            }
            return new ObjectWriter(slots, resource, mandate, raise(mandate, resource, slot, patience));
        } finally {
            work.close();
        }
    }

    @Override
    public ObjectWriter attach(Grant grant, String resource) {
        return new ObjectWriter(slots, Limits.resource(resource), Mandate.of(grant), null);
    }

    /**
     * What came of a write, by the id that an {@link dev.fence.OutcomeUnknownException} carried or that was taken from
     * {@link ObjectSlot#writeId}. Reads only; anybody may ask, also after a restart. An answer other than unknown is final.
     * The last {@value Stamp#MAX_EARLIER} writes can be told for certain, of whatever holder, and the one that the last seal
     * replaced.
     *
     * @throws FenceException busy if the store did not answer; guard missing if the object carries no stamp
     * @throws IllegalArgumentException if the id is not one of an object store
     */
    public WriteOutcome verify(String resource, WriteId writeId) {
        Limits.resource(resource);
        WriteIds id = WriteIds.parse(writeId);
        Slots.Slot slot = slots.read(resource, null, slots.patience());
        return slot == null
                ? WriteOutcome.UNKNOWN
                : id.landing(slot.known().stamp()).outcome();
    }

    private Known raise(Mandate mandate, String resource, Slots.Slot seen, Patience patience) {
        Grant grant = mandate.grant();
        Slots.Slot slot = seen;
        do {
            Stamp stamp = slot.known().stamp();
            if (stamp.grant().equals(grant)) {
                return slot.known();
            }
            requireNotRefused(Guard.refusesSeal(resource, stamp.grant(), mandate), grant, resource);
            mandate.begin().close();
            Stamp next = stamp.sealedBy(grant, UUID.randomUUID());
            Commit.Result result = new Commit(
                            slots.store(),
                            slots.key(resource),
                            new ObjectStore.Condition.Tag(slot.known().tag()),
                            next,
                            slot.value(),
                            patience)
                    .run();
            if (result instanceof Commit.Result.Landed landed) {
                slots.events().sealed(grant, resource);
                return landed.now();
            }
            if (result instanceof Commit.Result.Superseded superseded) {
                requireNotRefused(
                        Guard.refusesSeal(resource, superseded.now().stamp().grant(), mandate), grant, resource);
            }
            if (!(result instanceof Commit.Result.Refused refused)) {
                throw ObjectWriter.failure(slots, resource, grant, next, result);
            }
            // Somebody wrote between our read and our write; at once again, for the old holder may be writing all the
            // time.
            slot = refused.now();
        } while (patience.leftNanos() > 0);
        throw new BusyException(
                "resource \"" + resource + "\" could not be sealed in time: the holder of "
                        + slot.known().stamp().grant() + " kept writing",
                null);
    }

    private void requireNotRefused(@Nullable FenceException refusal, Grant grant, String resource) {
        if (refusal != null) {
            throw slots.refused(grant, resource, refusal);
        }
    }

    /** The first write of a slot. */
    private boolean begin(
            Lease lease, String resource, ObjectStore.Condition condition, Stamp.Content content, byte[] value) {
        Stamp stamp = Stamp.first(lease.grant(), UUID.randomUUID(), content);
        Commit.Result result =
                new Commit(slots.store(), slots.key(resource), condition, stamp, value, slots.patience()).run();
        if (result instanceof Commit.Result.Landed || result instanceof Commit.Result.Superseded) {
            slots.events().sealed(lease.grant(), resource);
            return true;
        }
        if (result instanceof Commit.Result.Refused refused) {
            return leave(lease, resource, refused.now().known().stamp());
        }
        if (result instanceof Commit.Result.Gone gone && condition instanceof ObjectStore.Condition.Tag) {
            throw new BusyException(
                    "object \"" + slots.key(resource) + "\" changed while it was adopted", gone.cause());
        }
        throw ObjectWriter.failure(slots, resource, lease.grant(), stamp, result);
    }

    /** Leaves a guard that exists as it is, unless it is somebody else's. */
    private boolean leave(Lease lease, String resource, Stamp existing) {
        requireNotRefused(Guard.refusesBinding(resource, existing.grant(), lease.grant()), lease.grant(), resource);
        return false;
    }
}
