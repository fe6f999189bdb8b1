package dev.fence.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.BusyException;
import dev.fence.UnsupportedStoreException;
import dev.fence.s3.FakeS3.Bend;
import dev.fence.s3.FakeS3.Fault;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.s3.S3Client;

class ProbeTest {

    private static final S3FenceSettings SETTINGS =
            S3FenceSettings.DEFAULTS.withRequestTimeout(Duration.ofSeconds(5)).withPatience(Duration.ofSeconds(5));

    private final String bucket = "probe-" + UUID.randomUUID();

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
        "ANSWERS_501_TO_CONDITIONS, create"
    })
    void c32ABentStoreIsRefusedAndTheFailedCheckNamed(Bend bend, String check) {
        try (FakeS3 store = new FakeS3(bend);
                S3Client client = Clients.withoutRetries(store.endpoint(), Clients.TEST_CREDENTIALS)) {
            assertThatThrownBy(() -> S3Fence.on(client, bucket, SETTINGS))
                    .isInstanceOf(UnsupportedStoreException.class)
                    .hasMessageContaining(check + " FAILED")
                    .hasMessageContaining(bucket)
                    .hasMessageContaining(store.endpoint().toString());
            assertThat(store.objects.keys()).as("scratch objects").isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ANSWERS_412_AT_MISSING_KEY", "ANSWERS_409_TO_LOST_RACES", "ANSWERS_500_TO_LOST_RACES"})
    void harmlessDifferencesPass(Bend bend) {
        try (FakeS3 store = new FakeS3(bend);
                S3Client client = Clients.withoutRetries(store.endpoint(), Clients.TEST_CREDENTIALS)) {
            assertThat(S3Fence.probe(client, bucket, SETTINGS).passed()).isTrue();
        }
    }

    @Test
    void aGoodStorePassesEveryCheck() {
        try (FakeS3 store = new FakeS3();
                S3Client client = Clients.withoutRetries(store.endpoint(), Clients.TEST_CREDENTIALS)) {
            ProbeReport report = S3Fence.probe(client, bucket, SETTINGS);

            assertThat(report.checks())
                    .extracting(ProbeReport.Check::name)
                    .containsExactly(
                            "create",
                            "create-twice",
                            "right-tag",
                            "stale-tag",
                            "wrong-tag",
                            "missing-key",
                            "removed-key",
                            "racing-creates",
                            "racing-writes");
            assertThat(report.passed()).isTrue();
            assertThat(store.objects.keys()).isEmpty();
        }
    }

    @Test
    void aMissingPermissionIsAnErrorThatListsThePermissions() {
        try (FakeS3 store = new FakeS3();
                S3Client client = Clients.withoutRetries(store.endpoint(), Clients.TEST_CREDENTIALS)) {
            store.next("PUT", Fault.FORBIDDEN_403);

            assertThatThrownBy(() -> S3Fence.on(client, bucket, SETTINGS))
                    .isInstanceOf(UnsupportedStoreException.class)
                    .hasMessageContaining("s3:GetObject, s3:PutObject and s3:DeleteObject")
                    .hasMessageContaining("s3:ListBucket");
        }
    }

    @Test
    void passingTroubleIsWaitedOutAndAStoreThatDoesNotAnswerIsBusy() {
        try (FakeS3 store = new FakeS3();
                S3Client client = Clients.withoutRetries(store.endpoint(), Clients.TEST_CREDENTIALS)) {
            store.next("PUT", Fault.UNAVAILABLE_503, Fault.CONFLICT_409);
            assertThat(S3Fence.probe(client, bucket, SETTINGS).passed()).isTrue();

            store.stop();
            Stores gone = Stores.of(new SyncCalls(client), bucket, SETTINGS, Clients.impatient());
            assertThatThrownBy(gone::requireProbed).isInstanceOf(BusyException.class);
        }
    }

    @Test
    void aStoreThatFailedIsProbedAgain() {
        try (FakeS3 store = new FakeS3();
                S3Client client = Clients.withoutRetries(store.endpoint(), Clients.TEST_CREDENTIALS)) {
            store.next("PUT", Fault.FORBIDDEN_403);
            assertThatThrownBy(() -> S3Fence.on(client, bucket, SETTINGS))
                    .isInstanceOf(UnsupportedStoreException.class);

            assertThat(S3Fence.on(client, bucket, SETTINGS)).isNotNull();
        }
    }
}
