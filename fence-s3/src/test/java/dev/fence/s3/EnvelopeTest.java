package dev.fence.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.FencingToken;
import dev.fence.Grant;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The stored form, which other versions of the library read: the golden files never change. */
class EnvelopeTest {

    private static final Grant OLD = new Grant(
            "etcd-prod", "exports/EU", new FencingToken(41), UUID.fromString("11111111-1111-1111-1111-111111111111"));
    private static final Grant NEW = new Grant(
            "etcd-prod",
            "Grüße 100%",
            new FencingToken(Long.MAX_VALUE),
            UUID.fromString("22222222-2222-2222-2222-222222222222"));
    private static final byte[] NOTHING = new byte[0];

    private static final Stamp CREATED = Stamp.first(OLD, id(1), new Stamp.Content.Tombstone());
    private static final Stamp SEALED =
            CREATED.next(id(2), new Stamp.Content.Value(5)).sealedBy(NEW, id(3));

    static final Map<String, byte[]> GOLDEN = Map.of(
            "created-v1.golden", Envelope.write(CREATED, NOTHING),
            "value-v1.golden", Envelope.write(SEALED, "hello".getBytes(UTF_8)),
            "payload-v1.golden",
                    Envelope.write(
                            SEALED.next(id(4), new Stamp.Content.Payload("a b/ü%.fence/0/x", 1L << 40)), NOTHING),
            "long-history-v1.golden", Envelope.write(written(40), NOTHING));

    @Test
    void theGoldenFilesAreWrittenAndRead() throws IOException {
        for (Map.Entry<String, byte[]> golden : GOLDEN.entrySet()) {
            byte[] bytes = resource(golden.getKey());
            assertThat(new String(golden.getValue(), UTF_8)).as(golden.getKey()).isEqualTo(new String(bytes, UTF_8));
            Envelope.Read.Stamped read = (Envelope.Read.Stamped) Envelope.read(bytes);
            assertThat(Envelope.write(read.stamp(), read.value())).isEqualTo(bytes);
        }
    }

    @Test
    void theLongestStampFitsIntoWhatIsReadOfIt() {
        Grant longest = new Grant("s".repeat(63), "\u00fc".repeat(127), new FencingToken(Long.MAX_VALUE), id(9));
        Stamp stamp = new Stamp(
                longest, id(1), Long.MAX_VALUE, Long.MAX_VALUE, id(2), ids(16), payload("\u00fc".repeat(300)));

        assertThat(Envelope.write(stamp, NOTHING)).hasSizeLessThan(Envelope.MAX_STAMP_BYTES);
    }

    @Test
    void whateverDoesNotBeginLikeAStampIsSomebodyElses() {
        for (String text : List.of("", "{}", "fence-objec", " fence-object:1\n")) {
            assertThat(Envelope.read(text.getBytes(UTF_8))).isInstanceOf(Envelope.Read.Unstamped.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fence-object:1 -> fence-object:2",
                "token 41 -> :41: -> :041:",
                "sequence:1 -> sequence:01",
                "sequence:1 -> sequence:2",
                "sealed-at:1 -> sealed-at:2",
                "replaced: -> replaced:x",
                "content:tombstone -> content:value 1",
                "content:tombstone -> content:nothing",
                "\n\n -> \n"
            })
    void aDamagedOrNewerStampIsNeitherReadNorTakenForNoStamp(String change) {
        String[] parts = change.split(" -> ", -1);
        String before = parts[parts.length - 2];
        String text = new String(Envelope.write(CREATED, NOTHING), UTF_8);
        assertThat(text).contains(before);

        byte[] damaged = text.replace(before, parts[parts.length - 1]).getBytes(UTF_8);

        assertThat(Envelope.read(damaged)).isInstanceOf(Envelope.Read.Unreadable.class);
    }

    @Test
    void aTruncatedValueIsNotRead() {
        byte[] whole = Envelope.write(SEALED, "hello".getBytes(UTF_8));

        assertThat(Envelope.read(Arrays.copyOf(whole, whole.length - 1)))
                .isInstanceOfSatisfying(
                        Envelope.Read.Unreadable.class,
                        read -> assertThat(read.why()).contains("4 bytes"));
    }

    @Test
    void aValueThatGoesOnIsNotRead() {
        byte[] whole = Envelope.write(SEALED, "hello".getBytes(UTF_8));

        assertThat(Envelope.read(Arrays.copyOf(whole, whole.length + 1)))
                .isInstanceOfSatisfying(
                        Envelope.Read.Unreadable.class,
                        read -> assertThat(read.why()).contains("6 bytes"));
    }

    @Test
    void aStampOfAnotherVersionIsToldByItsVersion() {
        String newer = new String(Envelope.write(CREATED, NOTHING), UTF_8).replace("fence-object:1", "fence-object:2");

        assertThat(Envelope.read(newer.getBytes(UTF_8)))
                .isInstanceOfSatisfying(
                        Envelope.Read.Unreadable.class,
                        read -> assertThat(read.why()).contains("begins with \"fence-object:2\""));
    }

    @Test
    void aStampThatContradictsItselfCannotBeMade() {
        assertThatThrownBy(() -> new Stamp(OLD, id(1), 2, 3, id(2), ids(1), payload("k")))
                .hasMessageContaining("1 to the sequence 2");
        assertThatThrownBy(() -> new Stamp(OLD, id(1), 2, 1, id(2), ids(1), payload("k")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Stamp(OLD, id(1), 2, 1, null, ids(2), payload("k")))
                .hasMessageContaining("1 are expected");
    }

    private static Stamp.Content payload(String key) {
        return new Stamp.Content.Payload(key, 1);
    }

    private static Stamp written(int times) {
        Stamp stamp = CREATED;
        for (int i = 2; i <= times; i++) {
            stamp = stamp.next(id(i), new Stamp.Content.Tombstone());
        }
        return stamp;
    }

    private static List<UUID> ids(int count) {
        return IntStream.range(0, count).mapToObj(i -> id(100 + i)).toList();
    }

    private static UUID id(int n) {
        return new UUID(0xfe9ceL, n);
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = EnvelopeTest.class.getResourceAsStream(name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        }
    }
}
