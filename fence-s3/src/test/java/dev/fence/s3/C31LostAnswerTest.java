package dev.fence.s3;

import static dev.fence.s3.ObjectFenceContract.put;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.Lease;
import dev.fence.OutcomeUnknownException;
import dev.fence.StaleTokenException;
import dev.fence.WriteId;
import dev.fence.WriteOutcome;
import dev.fence.s3.FakeS3.Fault;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.S3Client;

/** Incident C31: 412 although the own first attempt succeeded. */
class C31LostAnswerTest extends OnFaultyStore {

    @Test
    void anAnswerThatWasLostIsSuccess() {
        ObjectWriter writer = writer();
        int writes = store.objects.writes(SLOT);
        store.next("PUT", Fault.DROP_AFTER);

        put(writer, "mine");

        assertThat(store.objects.writes(SLOT)).isEqualTo(writes + 1);
        assertThat(value()).isEqualTo("mine");
    }

    @Test
    void aSilentRepetitionByTheSdkThatMeetsItsOwnWriteIsSuccess() {
        try (S3Client retrying = Clients.withRetries(store.endpoint())) {
            writer();
            ObjectWriter writer = fence(retrying).seal(lease, SLOT);
            put(writer, "warm");
            store.forgetRequests();
            store.next("PUT", Fault.DROP_AFTER);

            put(writer, "mine");

            assertThat(store.requests())
                    .as("the SDK repeated the PUT, and its 412 was looked at")
                    .containsExactly("PUT " + SLOT, "PUT " + SLOT, "GET " + SLOT);
            assertThat(value()).isEqualTo("mine");
        }
    }

    @Test
    void aWriteThatANewHolderSealedOverIsAppliedThenSuperseded() {
        ObjectWriter writer = writer();
        Lease newer = holders.next();
        List<WriteOutcome> outcomes = new ArrayList<>();
        List<WriteId> ids = new ArrayList<>();
        store.next("PUT", Fault.DROP_AFTER).beforeNext("GET", () -> put(fence.seal(newer, SLOT), "newer"));

        writer.write(slot -> {
            slot.onOutcome(outcomes::add);
            ids.add(slot.writeId());
            slot.put("mine".getBytes(UTF_8));
        });

        assertThat(outcomes).containsExactly(WriteOutcome.APPLIED_THEN_SUPERSEDED);
        assertThat(fence.verify(SLOT, ids.get(0))).isEqualTo(WriteOutcome.APPLIED_THEN_SUPERSEDED);
        assertThat(value()).isEqualTo("newer");
        assertThatThrownBy(() -> put(writer, "again")).isInstanceOf(StaleTokenException.class);
    }

    @Test
    void anAnswerThatCannotBeLookedAtIsUnknownAndVerifiedLater() {
        ObjectWriter writer = writer();
        store.next("PUT", Fault.DROP_AFTER).next("GET", failing());

        OutcomeUnknownException unknown = unknown(() -> put(writer, "mine"));

        assertThat(unknown.grant()).isEqualTo(lease.grant());
        assertThat(fence.verify(SLOT, unknown.writeId().orElseThrow())).isEqualTo(WriteOutcome.APPLIED);
        assertThat(told).containsExactly("sealed", "unknown");
    }

    @Test
    void theSameHoldsForACreation() {
        store.next("PUT", Fault.DROP_AFTER);
        assertThat(fence.create(lease, SLOT)).isTrue();

        store.next("PUT", Fault.DROP_AFTER).next("GET", failing());
        OutcomeUnknownException unknown = unknown(() -> fence.create(lease, "other"));
        assertThat(fence.verify("other", unknown.writeId().orElseThrow())).isEqualTo(WriteOutcome.APPLIED);

        Lease newer = holders.next();
        store.next("PUT", Fault.DROP_AFTER).beforeNext("GET", () -> fence.seal(newer, "third"));
        Lease creator = newer;
        assertThat(fence.create(creator, "third")).isTrue();
    }

    @Test
    void theSameHoldsForTheCompletionOfAMultipartUpload() throws IOException {
        ObjectWriter writer = writer();
        byte[] large = new byte[PayloadUpload.SMALLEST_PART_BYTES + 1];
        store.next("POST", Fault.NONE, Fault.DROP_BEFORE, Fault.DROP_AFTER);

        ObjectFenceContract.publish(writer, large);

        assertThat(reader().read(SLOT).orElseThrow().bytes()).isEqualTo(large);
        assertThat(store.objects.openUploads()).isZero();
    }
}
