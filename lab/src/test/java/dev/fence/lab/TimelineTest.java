package dev.fence.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TimelineTest {

    private static final long SEED = 1;

    /** Recorded once, never regenerated in passing: a seed in a report must mean the same timeline in every version. */
    @Test
    void aSeedMeansTheSameHistoryToTheByte() throws IOException {
        assertThat(histories()).isEqualTo(golden());
    }

    @Test
    void theHistoryDoesNotDependOnTheLocale() throws IOException {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        try {
            assertThat(histories()).isEqualTo(golden());
        } finally {
            Locale.setDefault(before);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aReplayOfItsEventsTellsTheSameHistory(LockKind lock) {
        Combination combination = new Combination(lock, ResourceKind.FENCED_ROW, Fault.ALL);
        for (int i = 0; i < 200; i++) {
            Timeline drawn = Timeline.draw(combination, Rng.of(SEED, i));

            assertThat(Timeline.replay(combination, drawn.events())).isEqualTo(drawn);
            assertThat(drawn.history().lines()).hasSameSizeAs(drawn.events());
        }
    }

    @ParameterizedTest
    @EnumSource
    void everythingThatCanGoWrongDoesInSomeTimeline(Fault fault) {
        Set<Kind> happened = EnumSet.noneOf(Kind.class);
        Combination combination = new Combination(LockKind.CONSENSUS, ResourceKind.FENCED_ROW, fault);
        for (int i = 0; i < 500; i++) {
            Timeline.draw(combination, Rng.of(SEED, i)).events().forEach(event -> happened.add(event.kind()));
        }

        assertThat(happened).containsExactlyInAnyOrderElementsOf(fault.kinds());
    }

    private static String histories() {
        StringBuilder text = new StringBuilder();
        for (LockKind lock : LockKind.values()) {
            for (ResourceKind resource : ResourceKind.values()) {
                Combination combination = new Combination(lock, resource, Fault.ALL);
                Timeline timeline = Timeline.draw(combination, Rng.of(SEED, text.length()));
                text.append(combination).append('\n').append(timeline.history()).append('\n');
            }
        }
        return text.toString();
    }

    private static String golden() throws IOException {
        try (InputStream in = TimelineTest.class.getResourceAsStream("histories.golden")) {
            assertThat(in).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
