package dev.fence.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What comes of a run that went wrong without anything in its history. */
class ChaosTest {

    @TempDir
    private Path folder;

    private final History history = new History();
    private Path said;
    private Chaos chaos;

    @BeforeEach
    void prepare() throws IOException {
        said = Files.createDirectory(folder.resolve("said"));
        Files.createFile(said.resolve("w1.1.log"));
        chaos = CommandLine.populateCommand(new Chaos(), "--histories=" + folder);
    }

    private void begins(String settings) {
        history.accept(Event.of(1, "run", What.RUN, "seed=7 ttlMillis=3000" + settings));
    }

    private int check() {
        return new CommandLine(new Chaos()).execute("--check", kept().toString());
    }

    private Path kept() {
        return folder.resolve("seed-7.history");
    }

    @Test
    void aRunThatBreaksOffIsAViolationAndAllThatExplainsItIsKept() throws Exception {
        chaos.playOne(7, said, history, () -> {
            begins("");
            throw new IOException("no such etcd", new IllegalStateException("killed"));
        });
        assertThat(chaos.summary()).isEqualTo("1 runs, 0 faults, 1 violations");
        assertThat(said.resolve("w1.1.log")).exists();
        assertThat(kept()).content().contains("no such etcd").contains("killed");
        assertThat(check()).isOne();
    }

    @Test
    void aRunInWhichNobodyDoesAnythingIsAViolation() throws Exception {
        chaos.playOne(7, said, history, () -> begins(" leases=a elections=leader"));
        assertThat(chaos.summary()).isEqualTo("1 runs, 0 faults, 4 violations");
        assertThat(said.resolve("w1.1.log")).exists();
        assertThat(check()).isOne();
    }

    @Test
    void ofACleanRunNothingIsKept() throws Exception {
        chaos.playOne(7, said, history, () -> begins(""));
        assertThat(chaos.summary()).isEqualTo("1 runs, 0 faults, 0 violations");
        assertThat(said).doesNotExist();
        assertThat(kept()).doesNotExist();
    }
}
