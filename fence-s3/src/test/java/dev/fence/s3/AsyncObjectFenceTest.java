package dev.fence.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.s3.FakeS3.Fault;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3Client;

/** The contract over the asynchronous client. */
class AsyncObjectFenceTest extends ObjectFenceContract {

    private static final FakeS3 STORE = new FakeS3();
    private static final S3Client CLIENT = Clients.withoutRetries(STORE.endpoint(), Clients.TEST_CREDENTIALS);
    private static final S3AsyncClient ASYNC = Clients.async(STORE.endpoint());

    @AfterAll
    static void stop() {
        ASYNC.close();
        CLIENT.close();
        STORE.close();
    }

    @Override
    S3Client client() {
        return CLIENT;
    }

    @Override
    String bucket() {
        return "async";
    }

    @Override
    S3Fence fence() {
        return S3Fence.on(ASYNC, bucket(), SETTINGS);
    }

    @Override
    FencedObjects reader() {
        return FencedObjects.on(ASYNC, bucket(), SETTINGS);
    }

    @Test
    void anAnswerThatWasLostIsSuccess() {
        ObjectWriter writer = created();
        STORE.next("PUT", Fault.DROP_AFTER);

        put(writer, "mine");

        assertThat(read()).contains("mine");
    }

    @Test
    void aStoreThatIsNotThereWasSentNothing() {
        try (FakeS3 gone = new FakeS3();
                S3AsyncClient client = Clients.async(gone.endpoint())) {
            gone.stop();
            ObjectStore store = Stores.of(client, bucket(), SETTINGS).slots().store();

            assertThat(store.put("key", new byte[1], new ObjectStore.Condition.Absent()))
                    .isInstanceOf(ObjectStore.Put.NotSent.class);
        }
    }
}
