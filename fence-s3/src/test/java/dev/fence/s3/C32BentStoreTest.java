package dev.fence.s3;

import static dev.fence.s3.ObjectFenceContract.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.GuardMissingException;
import dev.fence.UnsupportedStoreException;
import dev.fence.s3.FakeS3.Bend;
import dev.fence.s3.FakeS3.Fault;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.s3.S3Client;

/** Incident C32: stores that ignore or bend conditional writes. */
class C32BentStoreTest extends OnFaultyStore {

    @ParameterizedTest
    @CsvSource({
        "IGNORES_IF_NONE_MATCH, create-twice",
        "IGNORES_IF_MATCH, stale-tag",
        "IGNORES_IF_MATCH, wrong-tag",
        "CREATES_ON_IF_MATCH_AT_MISSING_KEY, missing-key",
        "ANSWERS_304_INSTEAD_OF_412, create-twice",
        "CHECKS_THEN_ACTS, racing-creates",
        "CHECKS_THEN_ACTS, racing-writes",
        "WANTS_TAGS_UNQUOTED, right-tag",
        "GIVES_ALL_THE_SAME_TAG, right-tag",
        "GIVES_NO_TAG, create",
        "READS_LAG_BEHIND, right-tag",
        "REMEMBERS_TAGS_OF_REMOVED_OBJECTS, removed-key",
        "ANSWERS_501_TO_CONDITIONS, create",
        "ANSWERS_200_TO_WHAT_IT_REFUSES, create-twice",
        "ANSWERS_200_TO_WHAT_IT_REFUSES, missing-key",
        "STORES_WHAT_IT_REFUSES, create-twice",
        "STORES_WHAT_IT_REFUSES, missing-key"
    })
    void aBentStoreIsRefusedAndTheFailedCheckNamed(Bend bend, String check) {
        String bucket = "probe-" + UUID.randomUUID();
        try (FakeS3 bent = new FakeS3(bend);
                S3Client its = Clients.withoutRetries(bent.endpoint(), Clients.TEST_CREDENTIALS)) {
            assertThatThrownBy(() -> S3Fence.on(its, bucket, S3FenceSettings.DEFAULTS))
                    .isInstanceOf(UnsupportedStoreException.class)
                    .hasMessageContaining(check + " FAILED")
                    .hasMessageContaining(bucket)
                    .hasMessageContaining(bent.endpoint().toString());
            assertThat(bent.objects.keys()).as("scratch objects").isEmpty();
        }
    }

    @Test
    void aStoreThatAnswers409TwiceAndThen200IsSuccessAfterRepetition() {
        ObjectWriter writer = writer();
        store.next("PUT", Fault.CONFLICT_409, Fault.CONFLICT_409);

        put(writer, "after");

        assertThat(value()).isEqualTo("after");
    }

    @Test
    void anObjectThatWasRemovedBehindOurBackIsNotMadeAnew() {
        ObjectWriter writer = writer();
        store.objects.remove(SLOT);

        assertThatThrownBy(() -> put(writer, "revived")).isInstanceOf(GuardMissingException.class);
        assertThat(store.objects.keys()).isEmpty();
    }
}
