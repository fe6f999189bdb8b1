package dev.fence.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.WriteId;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.s3.S3Client;

/** Bad input is refused with the value, the rule and the permitted range, before anything is sent. */
class LimitsTest {

    private static final FakeS3 STORE = new FakeS3();
    private static final S3Client CLIENT = Clients.withoutRetries(STORE.endpoint(), Clients.TEST_CREDENTIALS);
    private final S3Fence fence =
            new S3Fence(Stores.of(CLIENT, "b", S3FenceSettings.DEFAULTS).slots());
    private final Holders holders = new Holders("test", "exports/EU");

    @AfterAll
    static void stop() {
        CLIENT.close();
        STORE.close();
    }

    @AfterEach
    void nothingWasSent() {
        holders.close();
        assertThat(STORE.requests()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/a", "a/", "a//b", "a/./b", "../a", "a.fence/b", "a/b.fence", "tab\there"})
    void aResourceNameThatAStoreMayTakeForAnotherIsRefused(String resource) {
        assertThatThrownBy(() -> fence.create(holders.next(), resource)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> fence.seal(holders.next(), resource)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> fence.adopt(holders.next(), resource)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> fence.attach(ObjectFenceContract.grant(1), resource))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> fence.verify(resource, new WriteId("x"))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        FencedObjects.on(CLIENT, "b", S3FenceSettings.DEFAULTS).read(resource))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aValueTooLargeForASlotIsRefused() {
        assertThat(Limits.value(new byte[Limits.MAX_VALUE_BYTES])).hasSize(16 * 1024 * 1024);
        assertThatThrownBy(() -> Limits.value(new byte[Limits.MAX_VALUE_BYTES + 1]))
                .hasMessageContaining("16777217")
                .hasMessageContaining("at most 16777216")
                .hasMessageContaining("publish");
    }

    @Test
    void aStreamThatCannotBeginAgainIsRefusedUpFront() throws IOException {
        try (InputStream once = new ByteArrayInputStream(new byte[3])) {
            assertThatThrownBy(() -> Payload.of(3, () -> once))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("same stream twice");
        }
        assertThatThrownBy(() -> Payload.of(-1, () -> new ByteArrayInputStream(new byte[0])))
                .hasMessageContaining("-1")
                .hasMessageContaining("0 to 5497558138880");
    }

    @Test
    void settingsNameTheirRange() {
        S3FenceSettings settings = S3FenceSettings.DEFAULTS;

        assertThatThrownBy(() -> settings.withRequestTimeout(Duration.ZERO)).hasMessageContaining("PT0.1S to PT1H");
        assertThatThrownBy(() -> settings.withPatience(Duration.ofSeconds(1))).hasMessageContaining("PT10S to PT1H");
        assertThatThrownBy(() -> settings.withPrefix("folder")).hasMessageContaining("end in \"/\"");
        assertThatThrownBy(() -> settings.withPrefix("a//")).isInstanceOf(IllegalArgumentException.class);
        assertThat(settings.withPrefix("a/b/").prefix()).isEqualTo("a/b/");
        assertThatThrownBy(() -> Stores.of(CLIENT, "a/b", settings)).hasMessageContaining("\"a/b\"");
    }

    @Test
    void aWriteIdOfAnotherKindOfFenceIsRefused() {
        assertThatThrownBy(() -> fence.verify("slot", new WriteId("pg-1:42")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("pg-1:42");
    }

    @Test
    void partsGrowWithThePayloadSoThatTenThousandAreEnough() {
        assertThat(PayloadUpload.partBytes(5L << 30)).isEqualTo(8 << 20);
        long largest = Limits.MAX_PAYLOAD_BYTES;
        assertThat(PayloadUpload.partBytes(largest) * 10_000L).isGreaterThanOrEqualTo(largest);
    }
}
