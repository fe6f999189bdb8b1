package dev.fence.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.BusyException;
import dev.fence.Lease;
import dev.fence.OutcomeUnknownException;
import dev.fence.WriteOutcome;
import dev.fence.s3.FakeS3.Fault;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.s3.S3Client;

class PayloadTest {

    private static final String SLOT = "snapshots/EU";
    private static final int LARGE = 2 * PayloadUpload.SMALLEST_PART_BYTES + 1;

    private final FakeS3 store = new FakeS3();
    private final S3Client client = Clients.withoutRetries(store.endpoint(), Clients.TEST_CREDENTIALS);
    private final Stores stores =
            Stores.of(new SyncCalls(client), "fake", S3FenceSettings.DEFAULTS, Clients.impatient());
    private final S3Fence fence = new S3Fence(stores.slots());
    private final FencedObjects reader = FencedObjects.on(client, "fake", S3FenceSettings.DEFAULTS);
    private final Holders holders = new Holders("test", "exports/EU");
    private final Lease lease = holders.next();
    private final ObjectWriter writer = sealed();

    @AfterEach
    void stop() {
        holders.close();
        client.close();
        store.close();
    }

    @Test
    void aFileIsUploadedInPartsAndItsProgressTold(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("snapshot"), new byte[LARGE]);
        List<Long> progress = new ArrayList<>();

        writer.write(slot -> slot.publish(Payload.of(file).onProgress((sent, total) -> progress.add(sent))));

        assertThat(progress).containsExactly(8L << 20, 16L << 20, (16L << 20) + 1);
        assertThat(reader.read(SLOT).orElseThrow().length()).isEqualTo(LARGE);
        assertThat(reader.read(SLOT).orElseThrow().guard()).isEqualTo(lease.grant());
        assertThat(store.objects.keys())
                .hasSize(2)
                .anyMatch(key -> key.startsWith(SLOT + ".fence/0000000000000000001/"));
    }

    @Test
    void readersWhoAskForAllOfALargePayloadAreToldToOpenIt() throws IOException {
        writer.write(slot -> slot.publish(payload(LARGE)));
        ObjectValue value = reader.read(SLOT).orElseThrow();

        assertThatThrownBy(value::bytes)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("16777217")
                .hasMessageContaining("open it");
        try (InputStream in = value.open()) {
            assertThat(in.readAllBytes()).hasSize(LARGE);
        }
    }

    @Test
    void aSourceWithAnotherLengthThanItSaidChangesNothingAndLeavesNothing() throws IOException {
        Payload tooLong = Payload.of(LARGE - 1, () -> new ByteArrayInputStream(new byte[LARGE]));
        Payload tooShort = Payload.of(LARGE + 1, () -> new ByteArrayInputStream(new byte[LARGE]));

        assertThatThrownBy(() -> writer.write(slot -> slot.publish(tooLong))).hasMessageContaining("more bytes");
        assertThatThrownBy(() -> writer.write(slot -> slot.publish(tooShort))).hasMessageContaining("fewer bytes");
        assertNothingLeft();
    }

    @Test
    void aSourceThatFailsChangesNothingAndLeavesNothing() throws IOException {
        Payload broken = Payload.of(LARGE, () -> new FilterInputStream(new ByteArrayInputStream(new byte[0])) {
            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                throw new IOException("disk");
            }
        });
        List<WriteOutcome> outcomes = new ArrayList<>();

        assertThatThrownBy(() -> writer.write(slot -> {
                    slot.onOutcome(outcomes::add);
                    slot.publish(broken);
                }))
                .isInstanceOf(UncheckedIOException.class)
                .hasRootCauseMessage("disk");
        assertThat(outcomes).containsExactly(WriteOutcome.REFUSED);
        assertNothingLeft();
    }

    @Test
    void partsWhoseAnswerIsLostAreSentAgain() throws IOException {
        store.next("PUT", Fault.DROP_AFTER, Fault.ERROR_500_BEFORE);

        writer.write(slot -> slot.publish(payload(LARGE)));

        try (InputStream in = reader.read(SLOT).orElseThrow().open()) {
            assertThat(in.readAllBytes()).hasSize(LARGE);
        }
    }

    @Test
    void anUploadThatNeverGetsThroughIsBusyAndLeavesTheSlotAlone() throws IOException {
        store.next("PUT", failing());

        assertThatThrownBy(() -> writer.write(slot -> slot.publish(payload(3)))).isInstanceOf(BusyException.class);
        store.behave();
        assertNothingLeft();
    }

    @Test
    void aPurgeRemovesWhatWasReplacedAndKeepsWhatTheSlotPointsAt() throws IOException {
        for (int i = 1; i <= 5; i++) {
            int length = i;
            writer.write(slot -> slot.publish(payload(length)));
        }

        assertThat(writer.purge(Duration.ofHours(1))).isZero();
        store.age(Duration.ofHours(1));
        assertThat(writer.purge(Duration.ofHours(1))).isEqualTo(4);
        assertThat(reader.read(SLOT).orElseThrow().bytes()).hasSize(5);
    }

    @Test
    void aPurgeRemovesWhatAFormerHolderCanNoLongerPointAt() throws IOException {
        store.next("PUT", Fault.NONE, Fault.LATE).next("GET", failing());
        assertThatThrownBy(() -> writer.write(slot -> slot.publish(payload(3))))
                .isInstanceOf(OutcomeUnknownException.class);
        store.behave();

        ObjectWriter newer = fence.seal(holders.next(), SLOT);
        assertThat(newer.purge(Duration.ZERO)).isEqualTo(1);
        store.releaseLate();
        assertThat(reader.read(SLOT)).isEmpty();
        assertThat(store.objects.keys()).containsExactly(SLOT);
    }

    @Test
    void aPurgeKeepsWhatAWriteOfTheSameHolderMayComeToPointAt() throws IOException {
        store.next("PUT", Fault.NONE, Fault.LATE).next("GET", failing());
        assertThatThrownBy(() -> writer.write(slot -> slot.publish(payload(3))))
                .isInstanceOf(OutcomeUnknownException.class);
        store.behave();

        assertThat(fence.attach(lease.grant(), SLOT).purge(Duration.ZERO)).isZero();
        store.releaseLate();
        assertThat(reader.read(SLOT).orElseThrow().bytes()).hasSize(3);
    }

    @Test
    void aReaderThatIsOvertakenByAPurgeIsToldToReadAnew() throws IOException {
        writer.write(slot -> slot.publish(payload(3)));
        ObjectValue old = reader.read(SLOT).orElseThrow();
        writer.write(slot -> slot.publish(payload(4)));
        writer.purge(Duration.ZERO);

        assertThatThrownBy(old::bytes).isInstanceOf(BusyException.class).hasMessageContaining("read the slot anew");
    }

    private ObjectWriter sealed() {
        fence.create(lease, SLOT);
        return fence.seal(lease, SLOT);
    }

    private void assertNothingLeft() {
        assertThat(store.objects.keys()).containsExactly(SLOT);
        assertThat(store.objects.openUploads()).isZero();
        assertThat(reader.read(SLOT)).isEmpty();
    }

    private static Payload payload(int length) throws IOException {
        return Payload.of(length, () -> new ByteArrayInputStream(new byte[length]));
    }

    private static Fault[] failing() {
        Fault[] faults = new Fault[100];
        Arrays.fill(faults, Fault.UNAVAILABLE_503);
        return faults;
    }
}
