package dev.fence.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RngTest {

    /** The first values for this seed that the reference implementation in C gives. */
    @Test
    void givesTheNumbersOfTheReference() {
        Rng rng = new Rng(1234567);

        assertThat(new String[] {unsigned(rng), unsigned(rng), unsigned(rng), unsigned(rng), unsigned(rng)})
                .containsExactly(
                        "6457827717110365317",
                        "3203168211198807973",
                        "9817491932198370423",
                        "4593380528125082431",
                        "16408922859458223821");
    }

    @Test
    void staysBelowTheBoundAndReachesEverythingBelowIt() {
        Rng rng = new Rng(1);
        int[] counts = new int[7];
        for (int i = 0; i < 7_000; i++) {
            counts[rng.below(7)]++;
        }

        assertThat(Arrays.stream(counts)).allMatch(count -> count > 800 && count < 1_200);
    }

    @Test
    void neighboursOfASeriesBeginDifferently() {
        assertThat(Rng.of(1, 0).next()).isNotEqualTo(Rng.of(1, 1).next());
        assertThat(Rng.of(1, 0).next()).isNotEqualTo(Rng.of(2, 0).next());
        assertThat(Rng.of(1, 5).next()).isEqualTo(Rng.of(1, 5).next());
    }

    private static String unsigned(Rng rng) {
        return Long.toUnsignedString(rng.next());
    }
}
