package dev.fence.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The short form of {@code script/stress jdbc}: every mode at every isolation level, and every broken design. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RaceIT {

    private static final long SEED = 20_260_729;
    private static final Duration SHORT = Duration.ofMillis(800);
    private static final int MOST_RACES_TO_CATCH = 20;

    private static Arena.Site site;

    @BeforeAll
    static void open() throws Exception {
        site = new Arena.Site();
    }

    @AfterAll
    static void close() {
        site.close();
    }

    static Stream<Arguments> modesAndLevels() {
        return Modes.all().stream().flatMap(mode -> mode.levels().stream().map(level -> Arguments.of(mode, level)));
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource
    void modesAndLevels(Design mode, Level level) throws Exception {
        Verdict verdict = Race.run(site.at(level), mode, SEED, SHORT);

        assertThat(verdict.violations()).as("seed %d", SEED).isEmpty();
        assertThat(verdict.seals()).as("seals").isGreaterThan(5);
        assertThat(verdict.commits()).as("commits").isGreaterThanOrEqualTo(30);
    }

    static List<Design> brokenDesigns() {
        return BrokenDesigns.all();
    }

    @ParameterizedTest
    @MethodSource
    void brokenDesigns(Design design) throws Exception {
        Arena arena = site.at(design.levels().get(0));
        List<String> violations = List.of();
        for (int n = 0; n < MOST_RACES_TO_CATCH && violations.isEmpty(); n++) {
            violations = Race.run(arena, design, SEED + n, SHORT).violations();
        }

        assertThat(violations)
                .as("what %s lets happen, seed %d", design.name(), SEED)
                .isNotEmpty();
        assertThat(violations.get(0)).matches("write \\d+ .*(was committed after the seal|is lost).*");
    }
}
