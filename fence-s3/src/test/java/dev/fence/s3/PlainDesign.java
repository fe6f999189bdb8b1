package dev.fence.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fence.BusyException;
import dev.fence.Lease;
import dev.fence.OutcomeUnknownException;
import dev.fence.StaleTokenException;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * What looks like fencing and is not: the bare value, the token in the metadata beside it, and If-Match on the tag. Where the
 * new holder stores the bytes that the old one knew, the old one's condition still holds.
 */
final class PlainDesign implements Design {

    private final SimulatedS3 store;

    PlainDesign(SimulatedS3 store) {
        this.store = store;
    }

    @Override
    public void create(Lease lease) {
        store.put(put(lease, UUID.randomUUID()).ifNoneMatch("*").build(), new byte[0]);
    }

    /** Takes over by storing its own token beside the value, on condition of the tag. */
    @Override
    public Session seal(Lease lease) {
        Seen seen = look(lease);
        String tag =
                store(lease, put(lease, UUID.randomUUID()).ifMatch(seen.tag()).build(), seen.bytes());
        return new PlainSession(lease, tag);
    }

    @Override
    public Session attach(Lease lease) {
        return new PlainSession(lease, look(lease).tag());
    }

    @Override
    public Mark mark(SimulatedS3.Version version) {
        return new Mark(
                Long.parseLong(version.metadata().getOrDefault("token", "0")),
                UUID.fromString(version.metadata().getOrDefault("id", "")),
                0);
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
    private record Seen(String tag, byte[] bytes) {}

    private final class PlainSession implements Session {
        private final Lease lease;
        private String tag;

        private PlainSession(Lease lease, String tag) {
            this.lease = lease;
            this.tag = tag;
        }

        @Override
        public void write(String value, boolean onTopOfRead, Announced announced) {
            if (onTopOfRead) {
                tag = look(lease).tag();
            }
            UUID id = UUID.randomUUID();
            announced.write(id, -1);
            tag = PlainDesign.this.store(lease, put(lease, id).ifMatch(tag).build(), value.getBytes(UTF_8));
        }
    }

    private Seen look(Lease lease) {
        try (ResponseInputStream<GetObjectResponse> in =
                store.get(GetObjectRequest.builder().build())) {
            if (Long.parseLong(in.response().metadata().getOrDefault("token", "0"))
                    > lease.token().value()) {
                throw new StaleTokenException("slot", lease.grant(), lease.grant(), null);
            }
            return new Seen(in.response().eTag(), in.readAllBytes());
        } catch (SdkException | IOException e) {
            throw new BusyException("not read", e);
        }
    }

    private String store(Lease lease, PutObjectRequest request, byte[] bytes) {
        try {
            return store.put(request, bytes);
        } catch (S3Exception e) {
            if (e.statusCode() == 412 && e.numAttempts() == 1) {
                throw new StaleTokenException("slot", lease.grant(), lease.grant(), e);
            }
            throw new OutcomeUnknownException("slot", lease.grant(), e);
        } catch (SdkException e) {
            throw new OutcomeUnknownException("slot", lease.grant(), e);
        }
    }

    private static PutObjectRequest.Builder put(Lease lease, UUID id) {
        return PutObjectRequest.builder().metadata(Map.of("token", lease.token().toString(), "id", id.toString()));
    }
}
