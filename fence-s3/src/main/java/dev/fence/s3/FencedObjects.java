package dev.fence.s3;

import dev.fence.BusyException;
import java.util.Optional;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Reads slots without a lease, and strips their stamps. Whoever reads here sees some write that was the newest during the
 * call; a holder who builds a write on what it read reads through its {@link ObjectWriter} instead.
 *
 * <p>Safe for use by several threads.
 */
public final class FencedObjects {

    private final Slots slots;

    private FencedObjects(Slots slots) {
        this.slots = slots;
    }

    public static FencedObjects on(S3Client client, String bucket, S3FenceSettings settings) {
        return new FencedObjects(Stores.of(client, bucket, settings).slots());
    }

    public static FencedObjects on(S3AsyncClient client, String bucket, S3FenceSettings settings) {
        return new FencedObjects(Stores.of(client, bucket, settings).slots());
    }

    /**
     * What is in the slot; empty if it was never created, never written, or is deleted.
     *
     * @throws dev.fence.GuardMissingException if there is an object that was written without fence
     * @throws dev.fence.UnsupportedStoreException if the store does not let us read, or the stamp is of a newer version
     * @throws BusyException if the store did not answer in time
     */
    public Optional<ObjectValue> read(String resource) {
        Limits.resource(resource);
        Slots.Slot slot = slots.read(resource, null, slots.patience());
        return slot == null ? Optional.empty() : slots.payloads().value(slot);
    }
}
