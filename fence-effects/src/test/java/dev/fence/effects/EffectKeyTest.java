package dev.fence.effects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class EffectKeyTest {

    /** Golden: a provider knows these keys again after every upgrade. Computed outside of this library, as the comment says. */
    @Test
    void keysAreAsEverBefore() {
        // SHA-256 over three parts, each behind its length as four bytes, the first of them "fence-effect-key-1"
        assertThat(new EffectKey("payout", "invoice-7").text()).isEqualTo("760bfebc1c6907b1a125fe6a443c9402");
        assertThat(new EffectKey("payout", "invoice-7#2").text()).isEqualTo("a54b80bd533d43a255554754dd8b5d3a");
        assertThat(new EffectKey("mail", "caf\u00e9/\ud83d\ude00").text())
                .isEqualTo("4226c8a83f7322fc68a4e1143334ffc6");
    }

    @Test
    void whereTheNamesMeetIsPartOfTheKey() {
        assertThat(new EffectKey("ab", "c").text()).isNotEqualTo(new EffectKey("a", "bc").text());
    }

    @Test
    void blankAndEndlessNamesAreRefused() {
        assertThatThrownBy(() -> new EffectKey("payout", " "))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("business key");
        assertThatThrownBy(() -> new EffectKey("", "x")).hasMessageContaining("effect is empty");
        assertThatThrownBy(() -> new EffectKey("payout", "x".repeat(256))).hasMessageContaining("at most 255");
    }
}
