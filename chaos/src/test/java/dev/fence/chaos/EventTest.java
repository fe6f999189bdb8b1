package dev.fence.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class EventTest {

    @Test
    void aLineSaysWhatTheEventSays() {
        Event event = new Event(-5, "w1.2/payouts/EU", What.WRONG, "payouts/EU", 7, "two\tparts\nand lines");
        Event read = Event.parse(event.toLine());
        assertThat(read.detail()).isEqualTo("two parts and lines");
        assertThat(read.toLine()).isEqualTo(event.toLine());
        assertThat(read.process()).isEqualTo("w1.2");
    }

    @Test
    void aTornLineIsRefused() {
        assertThatThrownBy(() -> Event.parse("5\tw1.2\tCLAI"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("CLAI");
    }
}
