package dev.fence.picture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.batik.transcoder.TranscoderException;
import org.apache.batik.transcoder.TranscoderInput;
import org.apache.batik.transcoder.TranscoderOutput;
import org.apache.batik.transcoder.image.ImageTranscoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class PictureTest {

    private static final Picture PICTURE = new Picture(
            "a holder stops & wakes",
            "the late write <is refused>",
            Mark.GOOD,
            List.of("A", "lease service", "resource", "B"),
            List.of(
                    Moment.in(0.0, 1, Mark.PLAIN, "lease to A, token 2", "A acquires the lease with token 2"),
                    Moment.in(0.4, 0, Mark.PLAIN, "paused", "A is paused"),
                    new Moment(10.5, 3, 2, Mark.GOOD, "update", "now #1", "B updates"),
                    new Moment(
                            25.4,
                            0,
                            2,
                            Mark.REFUSED,
                            "late update of what it had read long ago",
                            "stale",
                            "A updates")),
            List.of(
                    new Bar(1, 0, 2, Bar.Kind.LEASE, "A holds the lease"),
                    new Bar(0, 1, 3, Bar.Kind.PAUSE, "A stands still")));

    @Test
    void whatIsDrawnIsWhereItBelongs() throws TranscoderException {
        BufferedImage image = render(PICTURE.svg());

        assertThat(image.getWidth()).isEqualTo(PICTURE.width());
        assertThat(image.getHeight()).isEqualTo(PICTURE.height());
        assertThat(colour(image, 3, 3)).as("paper").isEqualTo(Color.WHITE);
        for (int lane = 0; lane < 4; lane++) {
            assertThat(colour(image, PICTURE.x(lane), PICTURE.height() - 8))
                    .as("lane %d", lane)
                    .isEqualTo(Color.decode("#d0d7de"));
        }
        assertThat(colour(image, PICTURE.x(1), PICTURE.y(1)))
                .as("lease")
                .isEqualTo(Color.decode(Bar.Kind.LEASE.light()));
        assertThat(colour(image, PICTURE.x(0), PICTURE.y(2)))
                .as("pause")
                .isEqualTo(Color.decode(Bar.Kind.PAUSE.light()));
        assertThat(colour(image, PICTURE.x(2) + 6, PICTURE.y(2)))
                .as("arrow")
                .isEqualTo(Color.decode(Mark.GOOD.light()));
        assertThat(colour(image, PICTURE.x(2) - 14, PICTURE.y(3)))
                .as("cross")
                .isEqualTo(Color.decode(Mark.REFUSED.light()));
        assertThat(colour(image, PICTURE.x(2) - 2, PICTURE.y(3)))
                .as("a refused write does not get there")
                .isNotEqualTo(Color.decode(Mark.REFUSED.light()));
    }

    /** Reckoned with a width that no common face exceeds: a machine without fonts draws no text. */
    @Test
    void everyTextFitsIntoItsLane() {
        Pattern text = Pattern.compile("<text[^>]* x=\"(\\d+)\"[^>]*text-anchor=\"middle\"[^>]*>([^<]*)</text>");
        Matcher found = text.matcher(PICTURE.svg());
        int texts = 0;
        while (found.find()) {
            double half = found.group(2).length() * Svg.CHAR_WIDTH / 2;
            assertThat(half).as(found.group(2)).isLessThanOrEqualTo(Picture.LANE_WIDTH / 2.0);
            texts++;
        }
        assertThat(texts).isGreaterThan(PICTURE.lanes().size());
        assertThat(Svg.wrap("one two three four five six seven", 70)).hasSize(2).allMatch(line -> line.length() <= 10);
        assertThat(Svg.wrap("one two three four five six seven", 70).get(1)).endsWith("…");
    }

    @Test
    void everythingCanBeReachedByKeyboardAndHasAText() {
        String svg = PICTURE.svg();

        assertThat(svg.split("<g tabindex=\"0\"", -1))
                .hasSize(1 + PICTURE.moments().size() + PICTURE.bars().size());
        assertThat(svg.split("<title>", -1))
                .hasSize(2 + PICTURE.moments().size() + PICTURE.bars().size());
        assertThat(svg)
                .contains("<title>25.4 s, A to resource: A updates</title>")
                .contains("A stands still");
    }

    /** A title is shown to those who point, and never to those who come by the tab key. */
    @Test
    void whatIsReachedByKeyboardShowsItsTextAndNothingIsPaintedOverIt() throws Exception {
        Element svg = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(PICTURE.svg())))
                .getDocumentElement();
        NodeList children = svg.getChildNodes();
        List<String> shown = new ArrayList<>();
        for (int i = 0; i < children.getLength(); i++) {
            if (children.item(i) instanceof Element g && g.hasAttribute("tabindex")) {
                Element words = (Element) g.getLastChild().getPreviousSibling();
                assertThat(words.getAttribute("class")).isEqualTo("words");
                assertThat(words.getAttribute("display")).isEqualTo("none");
                assertThat(words.getTextContent().strip().replace('\n', ' ')).isEqualTo(g.getAttribute("aria-label"));
                shown.add(g.getAttribute("aria-label"));
            }
        }

        assertThat(PICTURE.svg()).contains("g:focus>.words{display:inline}");
        assertThat(shown)
                .as("bars come last: moments lie over them")
                .containsExactly(
                        "0.0 s, lease service: A acquires the lease with token 2",
                        "0.4 s, A: A is paused",
                        "10.5 s, B to resource: B updates",
                        "25.4 s, A to resource: A updates",
                        "A holds the lease",
                        "A stands still");
    }

    @Test
    void longTextsAreShownWhole() {
        String told = "word ".repeat(60).strip();
        Picture picture =
                new Picture("", "", Mark.GOOD, List.of("A"), List.of(Moment.in(0, 0, Mark.PLAIN, "", told)), List.of());

        assertThat(picture.svg().split("<text class=\"ink\" x=\"21\"", -1)).hasSizeGreaterThan(5);
        assertThat(picture.svg().split(">word|word<", -1).length).isGreaterThan(10);
    }

    /** Drawings of a timeline of the library, as the build makes them. */
    @ParameterizedTest
    @ValueSource(strings = {"gc-pause-fenced", "gc-pause-unfenced"})
    void theImagesOfTheDocumentationCanBeRendered(String name) throws Exception {
        String svg = Files.readString(Path.of("..", "docs", "images", name + ".svg"));

        BufferedImage image = render(svg);

        assertThat(svg).contains("width=\"" + image.getWidth() + "\" height=\"" + image.getHeight() + "\"");
        Matcher bar = Pattern.compile(
                        "<rect class=\"(?:pause|lease|other-lease)\" x=\"(\\d+)\" y=\"(\\d+)\".* fill=\"(.*?)\"")
                .matcher(svg);
        int bars = 0;
        while (bar.find()) {
            int betweenTwoRows = Integer.parseInt(bar.group(2)) + Picture.ROW_HEIGHT / 2;
            assertThat(colour(image, Integer.parseInt(bar.group(1)) + 8, betweenTwoRows))
                    .as(bar.group())
                    .isEqualTo(Color.decode(bar.group(3)));
            bars++;
        }
        assertThat(bars).as("two leases and a pause").isEqualTo(3);
    }

    @Test
    void aPageThatWouldBeTooLargeIsRefusedWithWhatIsPermitted() {
        List<Picture> pictures = Collections.nCopies(60, PICTURE);

        assertThatThrownBy(() -> Page.html("Many stories", pictures))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching(
                        "a page of 60 pictures with 240 rows in all would have \\d+ bytes: 204800 are permitted.*");
        // each of these is one character and three bytes
        Picture wide = new Picture("…".repeat(30_000), "", Mark.GOOD, List.of("A"), List.of(), List.of());
        assertThatThrownBy(() -> Page.html("One story", List.of(wide, wide, wide)))
                .hasMessageContaining("204800");
    }

    @Test
    void aPageIsSmallAndNeedsNothingElse() {
        String page = Page.html("Two stories", List.of(PICTURE, PICTURE));

        assertThat(page)
                .contains("prefers-color-scheme:dark", "<li>25.4 s, A to resource: A updates</li>")
                .contains("the late write &lt;is refused&gt;")
                .doesNotContain("<script", "<link", "src=", "href=", "url(");
    }

    @Test
    void darkColoursAreSetForAllThatIsColoured() {
        String dark = PICTURE.svg()
                .lines()
                .filter(line -> line.contains("prefers-color-scheme"))
                .findFirst()
                .orElseThrow();

        for (Mark mark : Mark.values()) {
            assertThat(dark).contains(mark.dark());
            assertThat(contrast(mark.light(), "#ffffff"))
                    .as("%s on white", mark)
                    .isGreaterThan(4.5);
            assertThat(contrast(mark.dark(), "#0d1117")).as("%s on black", mark).isGreaterThan(4.5);
        }
    }

    @Test
    void lanesAndRowsThatAreNotThereAreRefused() {
        assertThatThrownBy(() -> new Picture(
                        "", "", Mark.GOOD, List.of("A"), List.of(Moment.in(0, 1, Mark.PLAIN, "", "")), List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lane 1 is out of range: 0 to 0");
        assertThatThrownBy(() -> new Picture(
                        "",
                        "",
                        Mark.GOOD,
                        List.of("A"),
                        List.of(Moment.in(0, 0, Mark.PLAIN, "", "")),
                        List.of(new Bar(0, 0, 1, Bar.Kind.PAUSE, ""))))
                .hasMessageContaining("rows are 0 to 0");
    }

    /** Without texts, which need fonts, and without the style sheet, which is for dark screens and newer than the renderer. */
    private static BufferedImage render(String svg) throws TranscoderException {
        String shapes = svg.replaceAll("<style>.*?</style>", "").replaceAll("<text.*?</text>", "");
        BufferedImage[] image = new BufferedImage[1];
        ImageTranscoder transcoder = new ImageTranscoder() {
            @Override
            public BufferedImage createImage(int width, int height) {
                return new BufferedImage(width, height, BufferedImage.TYPE_INT_ARGB);
            }

            @Override
            public void writeImage(BufferedImage rendered, TranscoderOutput output) {
                image[0] = rendered;
            }
        };
        transcoder.transcode(new TranscoderInput(new StringReader(shapes)), null);
        return image[0];
    }

    private static Color colour(BufferedImage image, int x, int y) {
        return new Color(image.getRGB(x, y));
    }

    /** The contrast of WCAG 2. */
    private static double contrast(String one, String other) {
        double a = luminance(Color.decode(one));
        double b = luminance(Color.decode(other));
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    }

    private static double luminance(Color colour) {
        float[] rgb = colour.getRGBColorComponents(null);
        double[] weights = {0.2126, 0.7152, 0.0722};
        double sum = 0;
        for (int i = 0; i < 3; i++) {
            sum += weights[i] * (rgb[i] <= 0.03928 ? rgb[i] / 12.92 : Math.pow((rgb[i] + 0.055) / 1.055, 2.4));
        }
        return sum;
    }
}
