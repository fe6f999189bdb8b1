package dev.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FencingTokenTest {

    @ParameterizedTest
    @ValueSource(longs = {0, -1, -5, Long.MIN_VALUE})
    void zeroAndNegativeTokensAreRefused(long value) {
        assertThatThrownBy(() -> new FencingToken(value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Long.toString(value))
                .hasMessageContaining("1 to 9223372036854775807");
    }

    @Test
    void tokensAreOrderedAsNumbersNotAsText() {
        long[] rising = {1, 9, 10, 99, 100, Integer.MAX_VALUE, Integer.MAX_VALUE + 1L, Long.MAX_VALUE};

        assertThat(LongStream.of(rising).mapToObj(FencingToken::new)).isSorted();
        assertThat(new FencingToken(9)).isLessThan(new FencingToken(10));
        assertThat(new FencingToken(10).isNewerThan(new FencingToken(9))).isTrue();
        assertThat(new FencingToken(10).isNewerThan(new FencingToken(10))).isFalse();
    }

    @Test
    void beyondWhatADoubleHoldsEveryDigitIsKept() {
        assertThat(FencingToken.parse("9007199254740993")).hasToString("9007199254740993");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " 1", "1 ", "+1", "01", "0", "-1", "1e3", "0x10", "9223372036854775808", "١"})
    void onlyTheOneSpellingOfATokenIsRead(String text) {
        assertThatThrownBy(() -> FencingToken.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void everyTokenReadsBack() {
        assertThat(Stream.of(1L, 42L, Long.MAX_VALUE).map(FencingToken::new))
                .allSatisfy(token ->
                        assertThat(FencingToken.parse(token.toString())).isEqualTo(token));
    }
}
