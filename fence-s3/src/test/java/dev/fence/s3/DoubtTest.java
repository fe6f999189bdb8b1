package dev.fence.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.Lease;
import dev.fence.OutcomeUnknownException;
import dev.fence.s3.FakeS3.Fault;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.S3Client;

/** One attempt may still be on its way: what the next one is told says nothing about the first. */
class DoubtTest {

    private static final String SLOT = "ledger/EU";

    private final FakeS3 store = new FakeS3();
    private final S3Client client = Clients.withoutRetries(store.endpoint(), Clients.TEST_CREDENTIALS);
    private final Holders holders = new Holders("test", "exports/EU");
    private final S3Fence fence = S3Fence.on(client, "bucket");
    private final Lease lease = holders.next();

    @AfterEach
    void stop() {
        holders.close();
        client.close();
        store.close();
    }

    private ObjectWriter writer() {
        fence.create(lease, SLOT);
        return fence.seal(lease, SLOT);
    }

    private static void put(ObjectWriter writer) {
        writer.write(slot -> slot.put("after".getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void aRejectionAfterADoubtIsNotTheEnd() {
        ObjectWriter writer = writer();
        int writes = store.objects.writes(SLOT);
        store.next("PUT", Fault.LATE, Fault.FORBIDDEN_403);

        put(writer);

        assertThat(store.objects.writes(SLOT)).isEqualTo(writes + 1);
    }

    @Test
    void anObjectThatIsMissingAfterADoubtLeavesTheOutcomeUnknown() {
        ObjectWriter writer = writer();
        store.next("PUT", Fault.LATE);
        store.beforeNext("PUT", () -> {}).beforeNext("PUT", () -> store.objects.remove(SLOT));

        assertThatThrownBy(() -> put(writer)).isInstanceOf(OutcomeUnknownException.class);
    }
}
