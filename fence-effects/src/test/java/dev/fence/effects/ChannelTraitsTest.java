package dev.fence.effects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ChannelTraitsTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void aProviderThatDoesNotTakeOurKeysIsRefusedBeforeAnyCall() {
        ChannelTraits traits = ChannelTraits.keyed("payout", SECOND, SECOND);
        assertThatThrownBy(() -> traits.withKeyRule(Pattern.compile("[A-Z]{1,20}")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[A-Z]{1,20}")
                .hasMessageContaining("32");
    }

    @Test
    void aSepaEndToEndIdTakesOurKeys() {
        assertThat(ChannelTraits.keyed("payout", SECOND, SECOND)
                        .withKeyRule(Pattern.compile("[A-Za-z0-9/?:().,'+ -]{1,35}"))
                        .keyed())
                .isTrue();
    }

    @Test
    void valuesOutOfRangeAreNamedWithTheirRange() {
        assertThatThrownBy(() -> ChannelTraits.keyed("payout", Duration.ZERO, SECOND))
                .hasMessageContaining("keyRetention");
        assertThatThrownBy(() -> ChannelTraits.atMostOnce("payout", Duration.ofHours(1)))
                .hasMessageContaining("callTimeout PT1H")
                .hasMessageContaining("PT10M");
        assertThatThrownBy(() -> ChannelTraits.atMostOnce("payout", SECOND).withAttemptCap(0))
                .hasMessageContaining("attemptCap 0")
                .hasMessageContaining("1 to 1000");
        assertThatThrownBy(
                        () -> ChannelTraits.atMostOnce("payout", SECOND).withSearchCompleteAfter(Duration.ofDays(31)))
                .hasMessageContaining("searchCompleteAfter");
    }
}
