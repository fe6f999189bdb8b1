package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.fence.UnsupportedStoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Two versions of fence exclude each other only while they write the same keys: a change here is another version number. */
class StoredFormTest {

    private static final long SESSION = 0x12ab_34cd_56efL;
    private static final List<String> NAMES = List.of(
            "payouts",
            "payouts/EU",
            "a b%c",
            "caf\u00e9",
            "cafe\u0301",
            "\u20ac\ud83d\ude00",
            "AaBB._-~",
            "x".repeat(255));

    private final Keys keys = new Keys("fence");

    @Test
    void keysAndValuesAreThoseOfTheGoldenFile() throws IOException {
        List<String> written = new ArrayList<>();
        for (String name : NAMES) {
            written.add(keys.own(name, SESSION, 7).toStringUtf8());
        }
        written.add(keys.tombstone(SESSION, 7).toStringUtf8());
        written.add(keys.session(-1).toStringUtf8());
        written.add(keys.floor().toStringUtf8());
        UUID holder = new UUID(0x0123_4567_89ab_cdefL, 0xfedc_ba98_7654_3210L);
        written.add(new QueueValue(0, holder, "host-1 4711").toBytes().toStringUtf8());
        written.add(new QueueValue(1L << 40, holder, "").toBytes().toStringUtf8());
        written.add(
                new QueueValue(Long.MAX_VALUE, holder, "a:b:\u20ac").toBytes().toStringUtf8());
        written.add(QueueValue.floorToBytes(1L << 40).toStringUtf8());
        try (InputStream golden = Objects.requireNonNull(StoredFormTest.class.getResourceAsStream("etcd-v1.golden"))) {
            assertThat(written)
                    .isEqualTo(new String(golden.readAllBytes(), StandardCharsets.UTF_8)
                            .lines()
                            .toList());
        }
    }

    @Test
    void noNamesRangeHoldsAnotherNamesKeys() {
        for (String mine : NAMES) {
            Keys.Queue range = keys.queue(mine);
            for (String other : NAMES) {
                ByteString key = keys.own(other, SESSION, 1);
                assertThat(isIn(range, key)).as("%s in %s", other, mine).isEqualTo(mine.equals(other));
            }
            assertThat(isIn(range, keys.tombstone(SESSION, 1))).isFalse();
            assertThat(isIn(range, keys.session(SESSION))).isFalse();
            assertThat(isIn(range, keys.floor())).isFalse();
        }
    }

    @Test
    void aKeyKnowsItsSession() {
        ByteString key = keys.own("payouts/EU", SESSION, 12);
        assertThat(Keys.isOf(key, SESSION)).isTrue();
        assertThat(Keys.isOf(key, SESSION + 1)).isFalse();
    }

    @Test
    void valuesAreReadBack() {
        QueueValue value = new QueueValue(5, UUID.randomUUID(), "a:b\u20ac:");
        assertThat(QueueValue.parse(value.toBytes())).isEqualTo(value);
        assertThat(QueueValue.describe(value.toBytes())).contains("a:b\u20ac:");
    }

    @Test
    void valuesOfAnotherVersionAreNotGuessedAt() {
        for (String text : List.of("fence2:what ever", "fence2:0:" + UUID.randomUUID() + ":of the same form")) {
            ByteString later = ByteString.copyFromUtf8(text);
            assertThatIllegalArgumentException().isThrownBy(() -> QueueValue.parse(later));
            assertThat(QueueValue.describe(later)).isEqualTo("a holder of another version of fence");
        }
    }

    @Test
    void aFloorIsReadOnlyInItsOneSpelling() {
        assertThat(QueueValue.parseFloor(QueueValue.floorToBytes(1L << 41))).isEqualTo(1L << 41);
        for (String bad :
                List.of("", "fence1:", "fence1:-1", "fence1:0", "fence1:007", "fence1:9223372036854775808", "7")) {
            assertThatThrownBy(() -> QueueValue.parseFloor(ByteString.copyFromUtf8(bad)))
                    .isInstanceOf(UnsupportedStoreException.class)
                    .hasMessageContaining("floor");
        }
    }

    private static boolean isIn(Keys.Queue range, ByteString key) {
        var order = ByteString.unsignedLexicographicalComparator();
        return order.compare(key, range.start()) >= 0 && order.compare(key, range.end()) < 0;
    }
}
