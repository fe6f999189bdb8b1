package dev.fence.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReportTest {

    private final Result safe =
            Result.of(new Combination(LockKind.CONSENSUS, ResourceKind.FENCED_ROW, Fault.PAUSE), 50, 1);
    private final Result violated =
            Result.of(new Combination(LockKind.CONSENSUS, ResourceKind.UNFENCED, Fault.PAUSE), 1_000, 1);

    @Test
    void theJsonSaysWhatCameOfEachCombination() {
        assertThat(report(safe, violated).toJson()).isEqualTo("""
                        {"results":[
                        {"lock":"consensus","resource":"fenced-row","fault":"pause","timelines":50,"verdict":"safe","shortest":0},
                        {"lock":"consensus","resource":"unfenced","fault":"pause","timelines":%d,"verdict":"violated","shortest":7}
                        ]}
                        """.formatted(violated.timelines()));
    }

    @Test
    void theMatrixHasADotForSafeAndTheLengthOfTheStoryOtherwise() {
        List<String> lines = report(safe, violated).matrix().lines().toList();

        int pause = lines.get(0).indexOf("pause") + "pause".length();
        assertThat(lines).hasSize(3);
        assertThat(lines.get(1).substring(0, pause)).matches("consensus +unfenced +7");
        assertThat(lines.get(2).substring(0, pause)).matches("consensus +fenced-row +\\.");
        assertThat(lines.get(1).substring(pause)).isBlank();
    }

    @Test
    void theStoryIsToldWithWhatItViolates() {
        assertThat(report(safe, violated).stories())
                .startsWith("consensus × unfenced × pause: a write replaced another holder's")
                .contains("stands still for 25 s")
                .doesNotContain("fenced-row");
    }

    @Test
    void everyCombinationIsTriedOnce() {
        assertThat(Lab.combinations()).hasSize(5 * 9 * 12).doesNotHaveDuplicates();
    }

    @Test
    void optionsAreTakenInAnyOrder() {
        Options options = Options.parse("--seed", "-7", "--json", "lab.json", "--timelines", "5");

        assertThat(options).isEqualTo(new Options(Path.of("lab.json"), null, 5, -7, Map.of()));
    }

    @Test
    void partOfTheCombinationsCanBeTriedAlone() {
        Report report = Lab.run(Options.parse(
                "--lock", "consensus", "--fault", "pause", "--timelines", "20", "--resource", "if-match"));

        assertThat(report.results())
                .extracting(Result::combination)
                .containsExactly(new Combination(LockKind.CONSENSUS, ResourceKind.IF_MATCH, Fault.PAUSE));
        assertThat(report.matrix().lines()).hasSize(2);
    }

    @Test
    void theCommandWritesTheJsonWhereItIsTold(@TempDir Path folder) throws IOException {
        Path json = folder.resolve("new").resolve("lab.json");

        Lab.main(new String[] {
            "--json",
            json.toString(),
            "--timelines",
            "50",
            "--lock",
            "consensus",
            "--resource",
            "fenced-row",
            "--fault",
            "pause"
        });

        assertThat(json).hasContent(report(safe).toJson());
    }

    /** A stranger's terminal may know no "×", a file or a pipe need not care. */
    @Test
    void theStoriesArePrintedInUtf8WhateverThePlatformPrintsIn() throws IOException {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(printed, true, StandardCharsets.US_ASCII));
        try {
            Lab.main("--timelines 1000 --lock consensus --resource unfenced --fault pause".split(" "));
        } finally {
            System.setOut(before);
        }

        assertThat(printed.toString(StandardCharsets.UTF_8)).startsWith("consensus × unfenced × pause: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--seed",
                "--seed x",
                "--timelines 0",
                "--timelines 1e3",
                "--fast yes",
                "--lock redis",
                "lab.json"
            })
    void otherOptionsAreRefused(String line) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.parse(line.split(" ", -1)))
                .withMessageContaining(line.split(" ", -1)[0]);
    }

    private static Report report(Result... results) {
        return new Report(Options.parse(), List.of(results));
    }
}
