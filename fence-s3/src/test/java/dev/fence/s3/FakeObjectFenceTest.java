package dev.fence.s3;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.S3Client;

/** The contract on the fake store, and what only a store that counts its requests can show. */
class FakeObjectFenceTest extends ObjectRaceContract {

    private static final FakeS3 STORE = new FakeS3();
    private static final S3Client CLIENT = Clients.withoutRetries(STORE.endpoint(), Clients.TEST_CREDENTIALS);

    @AfterAll
    static void stop() {
        CLIENT.close();
        STORE.close();
    }

    @Override
    S3Client client() {
        return CLIENT;
    }

    @Override
    String bucket() {
        return "fake";
    }

    @Test
    void inSteadyStateAWriteIsOneRequest() {
        ObjectWriter writer = created();
        put(writer, "first");
        STORE.forgetRequests();

        for (int i = 0; i < 10; i++) {
            put(writer, "value " + i);
        }

        assertThat(STORE.requests()).hasSize(10).allMatch(("PUT " + resource)::equals);
    }

    @Test
    void theProbeRunsOnceForEachBucketAndLeavesNothing() {
        S3Fence.on(CLIENT, "probed", SETTINGS);
        STORE.forgetRequests();
        S3Fence.on(CLIENT, "probed", SETTINGS);

        assertThat(STORE.requests()).isEmpty();
        assertThat(STORE.objects.keys()).noneMatch(key -> key.contains("fence-probe"));
    }
}
