package dev.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WriteIdTest {

    private static final Grant GRANT = new Grant("etcd", "payouts/EU", new FencingToken(41), new UUID(0, 1));

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a\n", "ü", "a,b"})
    void aTextThatWouldNotTravelIsRefused(String text) {
        assertThatThrownBy(() -> new WriteId(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 to 128 characters");
    }

    @Test
    void theLongestTextIsPermittedAndOneMoreIsNot() {
        assertThat(new WriteId("x".repeat(128)).toString()).hasSize(128);
        assertThatThrownBy(() -> new WriteId("x".repeat(129))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anUnknownOutcomeNamesItsWriteIdWhereThereIsOne() {
        WriteId id = new WriteId("s3-1:7");

        OutcomeUnknownException verifiable = new OutcomeUnknownException("ledger", GRANT, id, null);
        assertThat(verifiable.writeId()).contains(id);
        assertThat(verifiable).hasMessageContaining("write s3-1:7 to resource \"ledger\"");
        assertThat(new OutcomeUnknownException("ledger", GRANT, null).writeId()).isEmpty();
    }
}
