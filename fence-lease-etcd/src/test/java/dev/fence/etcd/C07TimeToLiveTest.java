package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fence.SessionTiming;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C07: edge values of the time to live are refused before any I/O, with the permitted range. */
class C07TimeToLiveTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"PT0S", "PT-1S", "PT0.000000001S", "PT0.001S", "PT0.999S", "PT1.999S", "P100D", "PT3600.001S"})
    void isRefused(String ttl) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SessionTiming.forcedTtl(Duration.parse(ttl)))
                .withMessageContaining("PT2S to PT1H");
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MIN_VALUE})
    void theEndsOfTimeAreRefused(long seconds) {
        assertThatIllegalArgumentException().isThrownBy(() -> SessionTiming.ofTtl(Duration.ofSeconds(seconds)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT2.5S", "PT9.999S"})
    void isNotRounded(String ttl) {
        assertThatIllegalArgumentException().isThrownBy(() -> SessionTiming.forcedTtl(Duration.parse(ttl)));
    }
}
