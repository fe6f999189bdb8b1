package dev.fence.properties;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The exit codes of {@code script/replay}, and what it says with them. {@link RealReplayIT} has that of a real play. */
class ReplayTest {

    @TempDir
    Path folder;

    private record Ran(int exitCode, String out, String err) {}

    @Test
    void aTimelineThatGoesAsItSaysEndsWith0AndCanBeDrawn() throws Exception {
        Path page = folder.resolve("page.html");

        Ran ran = run(file(Library.script("gc-pause-25s").toString()), "--html", page.toString());

        assertThat(ran.exitCode()).as(ran.err()).isEqualTo(0);
        assertThat(ran.out()).contains("fenced: all holds, as expected", "unfenced: violated");
        assertThat(page).content().contains("<svg ");
    }

    @Test
    void aTimelineThatGoesOtherwiseEndsWith1AndSaysWhere() throws Exception {
        String otherEnd = Library.script("gc-pause-25s").toString().replace("-> STALE", "-> DONE");

        Ran ran = run(file(otherEnd));

        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(ran.out()).contains("NOT AS EXPECTED: \"25.400 A resume -> DONE\" ended STALE");
    }

    @Test
    void aPageThatWouldBeTooLargeIsRefusedAndNotWritten() throws Exception {
        String many = Library.script("gc-pause-25s") + "27.000 A release\n".repeat(900);
        Path page = folder.resolve("page.html");

        assertThat(run(file(many)).exitCode()).isEqualTo(0);
        assertThat(run(file(many), "--html", page.toString()))
                .returns(2, Ran::exitCode)
                .extracting(Ran::err)
                .asString()
                .contains("a page of 2 pictures with 1822 rows in all would have");
        assertThat(page).doesNotExist();
    }

    @Test
    void badUseAndBadFilesEndWith2() throws Exception {
        assertThat(run()).returns(2, Ran::exitCode);
        assertThat(run("--fast", "x")).returns(2, Ran::exitCode);
        assertThat(run("one", "two").err()).contains("one FILE is wanted", "usage:");
        assertThat(run(folder.resolve("none.timeline").toString()))
                .returns(2, Ran::exitCode)
                .extracting(Ran::err)
                .asString()
                .contains("none.timeline");
        assertThat(run(file("timeline v2")))
                .returns(2, Ran::exitCode)
                .extracting(Ran::err)
                .asString()
                .contains("line 1: \"timeline v2\" is no beginning");
        assertThat(run("--help")).returns(0, Ran::exitCode);
    }

    @Test
    void whatCannotBePlayedForRealIsRefusedBeforeAnythingIsStarted() throws Exception {
        String script = Library.script("gc-pause-25s").toString();

        assertThat(run("--real", file(script + "26.100 clock step-wall-clock +1s\n")))
                .returns(2, Ran::exitCode)
                .extracting(Ran::err)
                .asString()
                .contains("step-wall-clock +1s\" cannot be played with real parts");
        assertThat(run("--real", file(script.replaceAll("(fenced|unfenced) (holds|violates)", "if-match $2"))))
                .returns(2, Ran::exitCode)
                .extracting(Ran::err)
                .asString()
                .contains("nothing is expected of what can be played with real parts: fenced, unfenced");
    }

    private String file(String text) throws IOException {
        return Files.writeString(folder.resolve("a.timeline"), text).toString();
    }

    private static Ran run(String... args) throws InterruptedException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exitCode = Replay.run(
                List.of(args),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Ran(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
