package dev.fence.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.fixtures.EtcdCluster;
import dev.fence.fixtures.PostgresServer;
import dev.fence.migrations.FenceMigrations;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** C43's nemesis and the rest, for a short while; {@code script/chaos} goes on for as long as one likes. */
class C43NemesisIT {

    private static final long SEED = 12;

    @Test
    void aShortSeededRunIsCleanAndItsHistoryCanBeCheckedAgain(@TempDir Path folder) throws Exception {
        History history;
        try (PostgresServer postgres = PostgresServer.start();
                EtcdCluster etcd = EtcdCluster.start(1)) {
            String database = postgres.createDatabase();
            FenceMigrations.migrate(postgres.dataSource(database));
            Resource.createTable(postgres.dataSource(database));
            Run run = new Run(SEED, etcd, postgres, database, folder, null, null);
            run.play(Duration.ofSeconds(8));
            history = run.history();
        }
        Verdict verdict = Checker.check(history);
        assertThat(verdict.violations()).as("seed %s", SEED).isEmpty();
        assertThat(verdict.faults()).isGreaterThan(3);
        assertThat(history.inOrder())
                .extracting(Event::what)
                .contains(What.GRANTED, What.ELECTED, What.DEMOTED, What.APPLIED, What.CLAIMED, What.ROW);

        Path file = folder.resolve("history");
        history.write(file);
        assertThat(Checker.check(History.read(file))).isEqualTo(verdict);
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
