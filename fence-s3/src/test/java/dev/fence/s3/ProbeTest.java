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
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.s3.S3Client;

/** Each check against the store that it catches: {@link C32BentStoreTest}. */
class ProbeTest {

    private static final S3FenceSettings SETTINGS =
            S3FenceSettings.DEFAULTS.withRequestTimeout(Duration.ofSeconds(5)).withPatience(Duration.ofSeconds(5));

    private final String bucket = "probe-" + UUID.randomUUID();

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
