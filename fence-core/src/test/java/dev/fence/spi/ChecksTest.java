package dev.fence.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChecksTest {

    @ParameterizedTest
    @ValueSource(strings = {"a", "a ", " a", "payouts/EU", "caf\u00e9", "cafe\u0301", "INVOICE", "💶", "a:b%c|d"})
    void aNameIsTakenAsItIs(String name) {
        assertThat(Checks.name("lease name", name)).isSameAs(name);
    }

    @Test
    void theLimitCountsBytesAndNothingIsCut() {
        String longest = "€".repeat(85);
        assertThat(Checks.name("lease name", longest)).isSameAs(longest);

        assertThatThrownBy(() -> Checks.name("lease name", longest + "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("256 UTF-8 bytes")
                .hasMessageContaining("at most 255");
    }

    @Test
    void anEmptyNameIsRefusedButAnEmptyLabelIsNot() {
        assertThatThrownBy(() -> Checks.name("lease name", "")).hasMessageContaining("1 to 255");
        assertThat(Checks.label("label", "")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\u0000b", "a\nb", "a\tb", "\u007f", "a\u0085", "\ud800", "\udc00a"})
    void controlCharactersAndUnpairedSurrogatesAreRefused(String name) {
        assertThatThrownBy(() -> Checks.name("lease name", name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("U+");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Etcd", "-etcd", "etcd prod", "etcd:prod", "étcd", "etcd\n"})
    void aSourceOutsideItsAlphabetIsRefused(String source) {
        assertThatThrownBy(() -> Checks.source(source))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a-z 0-9 . _ -");
    }

    @Test
    void aDurationOutsideItsBoundsIsRefusedWithTheBounds() {
        Duration max = Duration.ofHours(1);
        assertThat(Checks.duration("wait", max, Duration.ZERO, max)).isEqualTo(max);

        assertThatThrownBy(() -> Checks.duration("wait", Duration.ofNanos(-1), Duration.ZERO, max))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("wait PT-0.000000001S")
                .hasMessageContaining("PT0S to PT1H");
        assertThatThrownBy(() -> Checks.duration("wait", Duration.ofSeconds(Long.MAX_VALUE), Duration.ZERO, max))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
