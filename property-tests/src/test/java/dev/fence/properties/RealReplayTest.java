package dev.fence.properties;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.properties.Subject.Sight;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RealReplayTest {

    private static final History HISTORY = new History(2, false, new Sight(null, List.of()));

    @Test
    void aSpoiltRunIsPlayedAgain() throws Exception {
        AtomicInteger plays = new AtomicInteger();

        History history = RealReplay.unspoilt(() -> played(plays, 3));

        assertThat(history).isSameAs(HISTORY);
        assertThat(plays).hasValue(3);
    }

    @Test
    void aRunThatIsSpoiltEachTimeIsAnErrorWithItsReason() {
        AtomicInteger plays = new AtomicInteger();

        assertThatThrownBy(() -> RealReplay.unspoilt(() -> played(plays, 4)))
                .isInstanceOf(SpoiltRunException.class)
                .hasMessage("played 3 times, and each time A stalled");
        assertThat(plays).hasValue(3);
    }

    private static History played(AtomicInteger plays, int unspoilt) {
        if (plays.incrementAndGet() < unspoilt) {
            throw new SpoiltRunException("A stalled");
        }
        return HISTORY;
    }
}
