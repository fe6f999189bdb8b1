package dev.fence.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import picocli.CommandLine;

/**
 * C43's nemesis and the rest, for a short while; {@code script/chaos} goes on for as long as one likes. Like the script it runs in a
 * network of its own, where the kernel drops packets, or says that proxies stand in.
 */
@Isolated("a run is noisy, and no scene beside it should be")
class C43NemesisIT {

    /** Three members, whose lead is handed over first of all; then one, and first of all a clock is stepped. */
    private static final long SEED = 183;

    private static final long SEED_WITH_A_CLOCK = SEED + 1;

    @Test
    @Timeout(value = 300, unit = TimeUnit.SECONDS)
    void shortSeededRunsAreCleanAndTheirHistoriesCanBeCheckedAgain(@TempDir Path folder) throws Exception {
        Optional<String> faketime = faketime(folder);
        Path answers = folder.resolve("answers");
        Path complaints = folder.resolve("complaints");
        List<String> command = new ArrayList<>(List.of(
                Path.of("../script/own-network").toAbsolutePath().toString(),
                System.getProperty("java.home") + "/bin/java",
                "-cp",
                System.getProperty("java.class.path"),
                Chaos.class.getName(),
                "--runs=2",
                "--seed=" + SEED,
                "--seconds=6",
                "--keep",
                "--histories=" + folder));
        faketime.ifPresent(library -> command.add("--faketime=" + library));
        Process runner = new ProcessBuilder(command)
                .redirectOutput(answers.toFile())
                .redirectError(complaints.toFile())
                .start();
        try {
            assertThat(runner.waitFor(270, TimeUnit.SECONDS)).isTrue();
        } finally {
            runner.destroyForcibly();
        }
        List<String> said = Files.readAllLines(answers);
        assertThat(runner.exitValue())
                .as("%s%n%s", said, Files.readString(complaints))
                .isZero();

        boolean hasProxiesStandIn = Files.readString(complaints).contains("script/own-network: no packets are dropped");
        String partitions = hasProxiesStandIn ? "partitions=proxies" : "partitions=kernel";
        int faults = assertSound(ofSeed(folder, SEED), " members=3 ", partitions, "etcd's lead from ")
                + assertSound(
                        ofSeed(folder, SEED_WITH_A_CLOCK),
                        " members=1 ",
                        partitions,
                        faketime.isPresent() ? "clock of w1 off by " : "");
        assertThat(said).last().isEqualTo("2 runs, " + faults + " faults, 0 violations");

        Path file = ofSeed(folder, SEED);
        assertThat(check(file)).isZero();
        Files.write(
                file,
                List.of(new Event(0, "w9.1/a", What.WRONG, "a", 1, "planted").toLine()),
                StandardOpenOption.APPEND);
        assertThat(check(file)).isOne();
    }

    private static Path ofSeed(Path folder, long seed) {
        return folder.resolve("seed-" + seed + ".history");
    }

    /** Its faults, one of which begins with those words. */
    private static int assertSound(Path file, String members, String partitions, String fault) throws IOException {
        History history = History.read(file);
        Verdict verdict = Checker.check(history);
        assertThat(verdict.violations()).isEmpty();
        assertThat(verdict.faults()).isGreaterThan(3);
        List<Event> events = history.inOrder();
        assertThat(events)
                .extracting(Event::what)
                .contains(What.GRANTED, What.ELECTED, What.DEMOTED, What.APPLIED, What.CLAIMED, What.ROW);
        assertThat(events)
                .first()
                .extracting(Event::detail, STRING)
                .contains(members)
                .endsWith(partitions);
        assertThat(events)
                .anyMatch(event -> event.what() == What.FAULT && event.detail().startsWith(fault));
        return verdict.faults();
    }

    /** The library that steps a clock; without one none is stepped, as in {@code script/chaos}. */
    private static Optional<String> faketime(Path folder) throws Exception {
        Path answer = folder.resolve("faketime");
        Process fetching = new ProcessBuilder(
                        Path.of("../script/fetch-faketime").toAbsolutePath().toString())
                .redirectOutput(answer.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(fetching.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return fetching.exitValue() == 0 ? Optional.of(Files.readString(answer).strip()) : Optional.empty();
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
