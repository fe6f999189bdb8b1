package dev.fence.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageTest {

    private final Report report = Lab.run(Options.parse("--timelines", "200", "--lock", "consensus"));

    /** The comparison that readers choose by is the run of this very code, whole; in a process that nobody measures the coverage of. */
    @Test
    void choosingShowsWhatTheLabPrints(@TempDir Path folder) throws Exception {
        Path shown = Path.of("..", "docs", "choosing.md");
        Path renewed = Files.copy(shown, folder.resolve("choosing.md"));
        Process lab = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Lab.class.getName(),
                        "--page",
                        renewed.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start();
        try {
            assertThat(lab.waitFor(4, TimeUnit.MINUTES)).isTrue();
            assertThat(lab.exitValue())
                    .as(() -> folder.resolve("said").toString())
                    .isZero();
        } finally {
            lab.destroyForcibly();
        }

        String page = Files.readString(shown);
        assertThat(page)
                .as(
                        "docs/choosing.md does not show what the lab prints: renew it with script/lab --page docs/choosing.md,"
                                + " and see whether the text around it is still true")
                .isEqualTo(Files.readString(renewed));
        assertThat(page).contains("```\nlock ").contains("```\nconsensus × ").contains("```\nredlock × ");
    }

    @Test
    void theMatrixAndTheStoriesAreRenewedAndNothingElse() {
        String page = """
                # A page
                ```
                lock   resource   none
                old numbers
                ```
                Text.
                ```
                consensus × unfenced × pause: an old story
                  +0.001 s  long ago
                ```
                ```
                script/lab
                ```
                """;

        assertThat(Page.renewed(page, report))
                .isEqualTo("# A page\n```\n" + report.table() + "\n```\nText.\n```\n" + story()
                        + "```\n```\nscript/lab\n```\n");
    }

    @Test
    void aStoryOfWhatLosesNothingIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Page.renewed("```\nconsensus × fenced-row × pause: oh no\n```\n", report))
                .withMessageContaining("consensus × fenced-row × pause");
    }

    private String story() {
        List<Result> results = report.results();
        return results.stream()
                .filter(result -> result.combination().toString().equals("consensus × unfenced × pause"))
                .flatMap(result -> Stream.ofNullable(result.shortest()))
                .map(Report::story)
                .findFirst()
                .orElseThrow();
    }
}
