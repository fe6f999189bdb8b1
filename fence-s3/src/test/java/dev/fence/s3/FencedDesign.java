package dev.fence.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fence.Lease;
import dev.fence.WriteOutcome;
import java.time.Duration;

/** The library itself, on a store that is not probed: it is faulty on purpose. */
final class FencedDesign implements Design {

    private static final String SLOT = "slot";

    final S3Fence fence;

    FencedDesign(SimulatedS3 store) {
        S3FenceSettings settings = S3FenceSettings.DEFAULTS
                .withRequestTimeout(Duration.ofMillis(100))
                .withPatience(Duration.ofMillis(300));
        fence = new S3Fence(Stores.of(store, "bucket", settings, store.clock()).slots());
    }

    @Override
    public void create(Lease lease) {
        fence.create(lease, SLOT);
    }

    @Override
    public Session seal(Lease lease) {
        return session(fence.seal(lease, SLOT));
    }

    @Override
    public Session attach(Lease lease) {
        return session(fence.attach(lease.grant(), SLOT));
    }

    @Override
    public Mark mark(SimulatedS3.Version version) {
        Stamp stamp = ((Envelope.Read.Stamped) Envelope.read(version.bytes())).stamp();
        return new Mark(stamp.grant().token().value(), stamp.writeId(), stamp.sequence());
    }

    private static Session session(ObjectWriter writer) {
        return (value, onTopOfRead, announced) -> writer.write(slot -> {
            if (onTopOfRead) {
                slot.read();
            }
            WriteIds id = WriteIds.parse(slot.writeId());
            announced.write(id.id(), onTopOfRead ? id.sequence() - 1 : -1);
            slot.put(value.getBytes(UTF_8));
        });
    }

    WriteOutcome verify(WriteIds id) {
        return fence.verify(SLOT, id.text());
    }
}
