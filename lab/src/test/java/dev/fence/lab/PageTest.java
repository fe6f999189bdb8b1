package dev.fence.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PageTest {

    private final Report report = Lab.run(Options.parse("--timelines", "200", "--lock", "consensus"));

    /** The comparison that readers choose by is the run of this very code, whole. */
    @Test
    void choosingShowsWhatTheLabPrints() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "choosing.md"));

        assertThat(page)
                .as(
                        "docs/choosing.md does not show what the lab prints: renew it with script/lab --page docs/choosing.md,"
                                + " and see whether the text around it is still true")
                .isEqualTo(Page.renewed(page, Lab.run(Options.parse())));
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
