package dev.fence.s3;

import static dev.fence.s3.ObjectFenceContract.put;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.OutcomeUnknownException;
import dev.fence.StaleTokenException;
import dev.fence.WriteId;
import dev.fence.WriteOutcome;
import dev.fence.s3.FakeS3.Fault;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Incident C34: clean-up after a believed failure destroys committed data. Only a proven refusal may be cleaned up. */
class C34CleanUpTest extends OnFaultyStore {

    @Test
    void aNewUploadStaysWhereItIsUnknownWhetherTheSlotPointsAtIt() throws IOException {
        ObjectWriter writer = writer();
        List<WriteOutcome> outcomes = new ArrayList<>();
        Payload payload = Payload.of(3, () -> new ByteArrayInputStream(new byte[3]));
        store.next("PUT", Fault.NONE, Fault.DROP_AFTER).next("GET", failing());

        unknown(() -> writer.write(slot -> {
            slot.onOutcome(outcomes::add);
            slot.publish(payload);
        }));

        assertThat(outcomes).containsExactly(WriteOutcome.UNKNOWN);
        assertThat(reader().read(SLOT).orElseThrow().bytes()).isEqualTo(new byte[3]);
    }

    @Test
    void aLeaseLostBetweenUploadAndSlotIsARefusalAndTheUploadIsRemoved() throws IOException {
        ObjectWriter writer = writer();
        List<WriteOutcome> outcomes = new ArrayList<>();
        Payload payload = Payload.of(3, () -> new ByteArrayInputStream(new byte[3]))
                .onProgress((sent, total) -> fence.seal(holders.next(), SLOT));

        assertThatThrownBy(() -> writer.write(slot -> {
                    slot.onOutcome(outcomes::add);
                    slot.publish(payload);
                }))
                .isInstanceOf(StaleTokenException.class);

        assertThat(outcomes).containsExactly(WriteOutcome.REFUSED);
        assertThat(store.objects.keys()).containsExactly(SLOT);
    }

    @Test
    void losingTheLeaseAfterTheWriteWasAcknowledgedLeavesItApplied() {
        ObjectWriter writer = writer();
        List<WriteOutcome> outcomes = new ArrayList<>();
        store.beforeNext("PUT", () -> holders.service.giveAway("exports/EU"));

        writer.write(slot -> {
            slot.onOutcome(outcomes::add);
            slot.put("kept".getBytes(UTF_8));
        });
        lease.close();

        assertThat(outcomes).containsExactly(WriteOutcome.APPLIED);
        assertThat(value()).isEqualTo("kept");
    }

    @Test
    void afterARestartTheWriteThatWasOnItsWayCanBeTold() {
        ObjectWriter writer = writer();
        WriteId applied = writer.call(slot -> {
            slot.put("applied".getBytes(UTF_8));
            return slot.writeId();
        });
        List<WriteId> neverSent = new ArrayList<>();
        assertThatThrownBy(() -> writer.write(slot -> {
                    neverSent.add(slot.writeId());
                    throw new IllegalStateException("killed here");
                }))
                .hasMessage("killed here");
        assertThat(fence.verify(SLOT, neverSent.get(0))).isEqualTo(WriteOutcome.UNKNOWN);

        ObjectWriter restarted = fence.seal(holders.next(), SLOT);

        assertThat(fence.verify(SLOT, applied)).isEqualTo(WriteOutcome.APPLIED_THEN_SUPERSEDED);
        assertThat(fence.verify(SLOT, neverSent.get(0))).isEqualTo(WriteOutcome.REFUSED);
        put(restarted, "goes on");
    }

    @Test
    void aPurgeKeepsWhatAnUnknownOutcomeMayNeedUntilItIsKnown() throws IOException {
        ObjectWriter writer = writer();
        Payload payload = Payload.of(3, () -> new ByteArrayInputStream(new byte[3]));
        store.next("PUT", Fault.NONE, Fault.LATE).next("GET", failing());
        assertThatThrownBy(() -> writer.write(slot -> slot.publish(payload)))
                .isInstanceOf(OutcomeUnknownException.class);
        store.behave();

        assertThat(writer.purge(Duration.ZERO)).as("its write may still arrive").isZero();
        store.releaseLate();
        assertThat(reader().read(SLOT).orElseThrow().bytes()).hasSize(3);
        assertThat(fence.seal(holders.next(), SLOT).purge(Duration.ZERO))
                .as("the slot points at it")
                .isZero();
    }
}
