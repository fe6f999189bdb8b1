package dev.fence.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.picture.Page;
import dev.fence.picture.Picture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pictures of timelines: those that the documentation shows are what the build makes. */
class DrawingTest {

    private static final Path IMAGES = Path.of("..", "docs", "images");
    private static final Path MADE = Path.of("target", "images");

    static List<String> names() {
        return Library.names();
    }

    @ParameterizedTest
    @ValueSource(strings = {"fenced", "unfenced"})
    void theImageOfTheDocumentationIsWhatTheTimelineGives(String subject) throws IOException {
        Script script = Library.script("gc-pause-25s");
        Judgement judgement = ModelReplay.play(script).stream()
                .filter(j -> j.expectation().subject().equals(subject))
                .findFirst()
                .orElseThrow();
        String name = "gc-pause-" + subject + ".svg";
        Files.createDirectories(MADE);
        Files.writeString(MADE.resolve(name), Drawing.of(script, judgement).svg());

        assertThat(IMAGES.resolve(name))
                .as("copy property-tests/target/images/%s if the change is wanted", name)
                .hasSameTextualContentAs(MADE.resolve(name));
    }

    @ParameterizedTest
    @MethodSource("names")
    void eachPageShowsEverySubjectAndStaysSmall(String name) {
        Script script = Library.script(name);
        List<Judgement> judgements = ModelReplay.play(script);

        String page = Replay.page(script, judgements);

        assertThat(page.getBytes(StandardCharsets.UTF_8).length).isLessThan(Page.MOST_BYTES / 2);
        assertThat(page.split("<svg ", -1)).hasSize(1 + judgements.size());
    }

    @Test
    void harmIsShownWhereItIsDone() {
        Script script = Library.script("gc-pause-25s");
        List<Picture> pictures = ModelReplay.play(script).stream()
                .map(judgement -> Drawing.of(script, judgement))
                .toList();

        assertThat(pictures.get(0).svg()).contains("stale</text>").doesNotContain("#1 is lost</text>");
        assertThat(pictures.get(1).svg()).contains("#1 is lost</text>");
    }
}
