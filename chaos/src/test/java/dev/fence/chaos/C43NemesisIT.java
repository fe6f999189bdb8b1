package dev.fence.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * C43's nemesis and the rest, for a short while; {@code script/chaos} goes on for as long as one likes. Like the script it runs in a
 * network of its own, where the kernel drops packets, or says that proxies stand in.
 */
class C43NemesisIT {

    private static final String SEED = "12";

    @Test
    @Timeout(value = 180, unit = TimeUnit.SECONDS)
    void aShortSeededRunIsCleanAndItsHistoryCanBeCheckedAgain(@TempDir Path folder) throws Exception {
        Path answers = folder.resolve("answers");
        Path complaints = folder.resolve("complaints");
        Process runner = new ProcessBuilder(
                        Path.of("../script/own-network").toAbsolutePath().toString(),
                        System.getProperty("java.home") + "/bin/java",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Chaos.class.getName(),
                        "--runs=1",
                        "--seed=" + SEED,
                        "--seconds=8",
                        "--keep",
                        "--histories=" + folder)
                .redirectOutput(answers.toFile())
                .redirectError(complaints.toFile())
                .start();
        try {
            assertThat(runner.waitFor(150, TimeUnit.SECONDS)).isTrue();
        } finally {
            runner.destroyForcibly();
        }
        List<String> said = Files.readAllLines(answers);
        assertThat(runner.exitValue())
                .as("%s%n%s", said, Files.readString(complaints))
                .isZero();

        Path file = folder.resolve("seed-" + SEED + ".history");
        History history = History.read(file);
        Verdict verdict = Checker.check(history);
        assertThat(verdict.violations()).isEmpty();
        assertThat(verdict.faults()).isGreaterThan(3);
        assertThat(said).last().isEqualTo("1 runs, " + verdict.faults() + " faults, 0 violations");
        assertThat(history.inOrder())
                .extracting(Event::what)
                .contains(What.GRANTED, What.ELECTED, What.DEMOTED, What.APPLIED, What.CLAIMED, What.ROW);
        boolean hasProxiesStandIn = Files.readString(complaints).contains("script/own-network: no packets are dropped");
        assertThat(history.inOrder())
                .first()
                .extracting(Event::detail, STRING)
                .endsWith(hasProxiesStandIn ? "partitions=proxies" : "partitions=kernel");

        assertThat(check(file)).isZero();
        Files.write(
                file,
                List.of(new Event(0, "w9.1/a", What.WRONG, "a", 1, "planted").toLine()),
                StandardOpenOption.APPEND);
        assertThat(check(file)).isOne();
    }

    private static int check(Path file) {
        return new CommandLine(new Chaos()).execute("--check", file.toString());
    }

    @Test
    void badUseIsTwo() {
        assertThat(new CommandLine(new Chaos()).execute("--runs", "0")).isEqualTo(2);
        assertThat(new CommandLine(new Chaos()).execute("--minutes", "many")).isEqualTo(2);
    }
}
