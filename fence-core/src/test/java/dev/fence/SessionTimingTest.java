package dev.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionTimingTest {

    @Test
    void theDefaultsAreTenSecondsAndATenth() {
        assertThat(SessionTiming.DEFAULTS)
                .isEqualTo(new SessionTiming(Duration.ofSeconds(10), Duration.ofSeconds(1), Duration.ZERO));
        assertThat(SessionTiming.ofTtl(Duration.ofSeconds(5)).margin()).isEqualTo(Duration.ofMillis(500));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"PT0S", "PT-1S", "PT0.000000001S", "PT0.001S", "PT0.999S", "PT4.999S", "PT1H0.001S", "P100D"})
    void aTtlOutOfRangeIsRefusedWithTheRange(String ttl) {
        assertThatThrownBy(() -> SessionTiming.ofTtl(Duration.parse(ttl)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT5S to PT1H");
    }

    @Test
    void theLargestDurationIsRefusedAndDoesNotOverflow() {
        assertThatThrownBy(() -> SessionTiming.ofTtl(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void partsOfASecondAreRefusedInsteadOfRounded() {
        assertThatThrownBy(() -> SessionTiming.ofTtl(Duration.ofMillis(5500)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("whole seconds");
    }

    @Test
    void aShortTtlMustBeForced() {
        assertThat(SessionTiming.forcedTtl(Duration.ofSeconds(2)).ttl()).isEqualTo(Duration.ofSeconds(2));
        assertThatThrownBy(() -> SessionTiming.forcedTtl(Duration.ofSeconds(1))).hasMessageContaining("PT2S to PT1H");
    }

    @Test
    void aReserveThatLeavesNoTimeToRepeatAHeartbeatIsRefused() {
        SessionTiming timing = SessionTiming.ofTtl(Duration.ofSeconds(9));

        assertThat(timing.withStopTime(Duration.ofMillis(2100)).reserve()).isEqualTo(Duration.ofSeconds(3));
        assertThatThrownBy(() -> timing.withStopTime(Duration.ofMillis(2101)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("more than a third of ttl PT9S");
        assertThatThrownBy(() -> timing.withMargin(Duration.ZERO)).hasMessageContaining("PT0.1S to PT9S");
    }

    @Test
    void aHeartbeatCanBeLostAndRepeatedWithinEveryPermittedTiming() {
        for (int seconds = 2; seconds <= 3600; seconds++) {
            SessionTiming timing = SessionTiming.forcedTtl(Duration.ofSeconds(seconds));
            Duration used = timing.heartbeatEvery().plus(timing.callTimeout()).plus(timing.reserve());
            assertThat(used).isLessThanOrEqualTo(timing.ttl());
        }
    }
}
