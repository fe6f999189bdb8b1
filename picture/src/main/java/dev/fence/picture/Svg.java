package dev.fence.picture;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Draws one {@link Picture}. Colours are attributes, for every reader; where dark ones are wished for, a style sheet sets those. */
final class Svg {

    private static final int FONT = 13;
    /** Wider than the mean of any common face at {@link #FONT}. */
    static final double CHAR_WIDTH = 6.9;

    private static final int PADDING = 7;
    private static final int LINE_HEIGHT = 16;
    private static final int WORDS_X = 14;
    static final int MOST_LINES = 2;
    private static final int CHIP_WIDTH = Picture.LANE_WIDTH - 12 - 2 * PADDING;
    private static final int END_WIDTH = Picture.LANE_WIDTH / 2 - 10 - 2 * PADDING;
    private static final String INK = "#1f2328";
    private static final String PAPER = "#ffffff";
    private static final String RULE = "#d0d7de";

    private final Picture picture;
    private final StringBuilder out = new StringBuilder();

    Svg(Picture picture) {
        this.picture = picture;
    }

    String text() {
        int width = picture.width();
        int height = picture.height();
        line(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"group\""
                        + " aria-label=\"%s\" font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif\" font-size=\"%d\">",
                width, height, width, height, escape(picture.title() + ": " + picture.verdict()), FONT);
        line("<title>%s</title>", escape(picture.title()));
        style();
        line("<rect class=\"paper\" width=\"%d\" height=\"%d\" fill=\"%s\"/>", width, height, PAPER);
        header();
        for (int lane = 0; lane < picture.lanes().size(); lane++) {
            lane(lane);
        }
        picture.bars().forEach(this::bar);
        for (int row = 0; row < picture.moments().size(); row++) {
            moment(row, picture.moments().get(row));
        }
        picture.bars().forEach(this::barByKeyboard);
        line("</svg>");
        return out.toString();
    }

    private void style() {
        StringBuilder dark = new StringBuilder();
        for (Mark mark : Mark.values()) {
            dark.append(String.format(
                    ".%1$s{fill:%2$s;stroke:%2$s}.%1$s-words{fill:%2$s}.%1$s-chip{stroke:%2$s}",
                    css(mark), mark.dark()));
        }
        for (Bar.Kind kind : Bar.Kind.values()) {
            dark.append(String.format(".%s{fill:%s}", css(kind), kind.dark()));
        }
        line(
                "<style>g:focus{outline:3px solid #54aeff;outline-offset:1px}g:focus>.words{display:inline}"
                        + "@media (prefers-color-scheme:dark){.paper,.chip{fill:#0d1117}.ink{fill:#e6edf3}.soft{fill:#9aa4af}"
                        + ".rule{stroke:#30363d}%s}</style>",
                dark);
    }

    private void header() {
        line(
                "<text class=\"ink\" x=\"14\" y=\"26\" font-size=\"16\" font-weight=\"600\" fill=\"%s\">%s</text>",
                INK, escape(fit(picture.title(), picture.width() - 28, 8.9)));
        line(
                "<text class=\"%s-words\" x=\"14\" y=\"48\" font-weight=\"600\" fill=\"%s\">%s</text>",
                css(picture.ended()),
                picture.ended().light(),
                escape(fit(picture.verdict(), picture.width() - 28, 7.6)));
        line("<text class=\"soft\" x=\"14\" y=\"%d\" fill=\"#57606a\">seconds</text>", Picture.HEADER_HEIGHT - 14);
    }

    private void lane(int lane) {
        int x = picture.x(lane);
        line(
                "<text class=\"ink\" x=\"%d\" y=\"%d\" text-anchor=\"middle\" font-weight=\"600\" fill=\"%s\">%s</text>",
                x,
                Picture.HEADER_HEIGHT - 14,
                INK,
                escape(fit(picture.lanes().get(lane), Picture.LANE_WIDTH - 8, 7.6)));
        line(
                "<line class=\"rule\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2\"/>",
                x, Picture.HEADER_HEIGHT - 6, x, picture.height() - 6, RULE);
    }

    private void bar(Bar bar) {
        line(
                "<g aria-hidden=\"true\"><title>%s</title>"
                        + "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"16\" height=\"%d\" rx=\"5\" fill=\"%s\"/></g>",
                escape(bar.hover()),
                css(bar.kind()),
                picture.x(bar.lane()) - 8,
                picture.y(bar.first()),
                height(bar),
                bar.kind().light());
    }

    private int height(Bar bar) {
        return Math.max(8, picture.y(bar.last()) - picture.y(bar.first()));
    }

    /** Above all that lies over the bar, since what is painted later covers its words. */
    private void barByKeyboard(Bar bar) {
        line(
                "<g tabindex=\"0\" role=\"img\" aria-label=\"%s\">"
                        + "<rect x=\"%d\" y=\"%d\" width=\"16\" height=\"%d\" fill=\"none\" pointer-events=\"none\"/>",
                escape(bar.hover()), picture.x(bar.lane()) - 8, picture.y(bar.first()), height(bar));
        words(bar.first(), bar.hover());
        line("</g>");
    }

    /** A title shows to those who point. This shows to those who come by the keyboard: above the row, over what is there. */
    private void words(int row, String text) {
        List<String> lines = lines(text, (int) ((picture.width() - 2 * WORDS_X - 2 * PADDING) / CHAR_WIDTH));
        int height = lines.size() * LINE_HEIGHT + 6;
        int top = picture.y(row) - Picture.ROW_HEIGHT / 2 - height;
        line(
                "<g class=\"words\" display=\"none\"><rect class=\"chip\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\""
                        + " fill=\"%s\" stroke=\"#54aeff\" stroke-width=\"2\"/>",
                WORDS_X, top, chipWidth(lines), height, PAPER);
        for (int i = 0; i < lines.size(); i++) {
            line(
                    "<text class=\"ink\" x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>",
                    WORDS_X + PADDING, top + 15 + i * LINE_HEIGHT, INK, escape(lines.get(i)));
        }
        line("</g>");
    }

    private void moment(int row, Moment moment) {
        int y = picture.y(row);
        String words = escape(picture.words(moment));
        line("<g tabindex=\"0\" role=\"img\" aria-label=\"%s\"><title>%s</title>", words, words);
        line(
                "<text class=\"soft\" x=\"%d\" y=\"%d\" text-anchor=\"end\" fill=\"#57606a\">%s</text>",
                Picture.TIME_WIDTH - 12, y + 5, String.format(Locale.ROOT, "%.1f", moment.seconds()));
        if (moment.from() == moment.to()) {
            chip(picture.x(moment.from()), y, moment.mark(), wrap(moment.label(), CHIP_WIDTH));
        } else {
            arrow(y, moment);
        }
        words(row, picture.words(moment));
        line("</g>");
    }

    /** From lane to lane: the words stand on the side that it comes from, the end tells what came of it. */
    private void arrow(int y, Moment moment) {
        int from = picture.x(moment.from());
        int to = picture.x(moment.to());
        int side = to > from ? 1 : -1;
        String colour = moment.mark().light();
        String css = css(moment.mark());
        line(
                "<line class=\"%s\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2.5\"/>",
                css, from, y, to - side * 12, y, colour);
        if (moment.mark() == Mark.REFUSED) {
            int x = to - side * 14;
            line(
                    "<path class=\"%s\" d=\"M%d %dL%d %dM%d %dL%d %d\" stroke=\"%s\" stroke-width=\"4\" fill=\"none\"/>",
                    css, x - 7, y - 7, x + 7, y + 7, x - 7, y + 7, x + 7, y - 7, colour);
        } else {
            line(
                    "<path class=\"%s\" d=\"M%d %dL%d %dL%d %dZ\" fill=\"%s\" stroke=\"%s\"/>",
                    css, to, y, to - side * 13, y - 7, to - side * 13, y + 7, colour, colour);
        }
        chip(from, y, moment.mark(), wrap(moment.label(), CHIP_WIDTH));
        if (!moment.end().isEmpty()) {
            List<String> end = wrap(moment.end(), END_WIDTH);
            chip(to + side * (10 + chipWidth(end) / 2), y, moment.mark(), end);
        }
    }

    private static int chipWidth(List<String> lines) {
        int longest = lines.stream().mapToInt(String::length).max().orElse(0);
        return (int) Math.ceil(longest * CHAR_WIDTH) + 2 * PADDING;
    }

    private void chip(int x, int y, Mark mark, List<String> lines) {
        int width = chipWidth(lines);
        int height = lines.size() * LINE_HEIGHT + 6;
        line(
                "<rect class=\"chip %s-chip\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\" fill=\"%s\" stroke=\"%s\""
                        + " stroke-width=\"1.5\"/>",
                css(mark), x - width / 2, y - height / 2, width, height, PAPER, mark.light());
        for (int i = 0; i < lines.size(); i++) {
            line(
                    "<text class=\"%s-words\" x=\"%d\" y=\"%d\" text-anchor=\"middle\" fill=\"%s\">%s</text>",
                    css(mark), x, y - height / 2 + 15 + i * LINE_HEIGHT, mark.light(), escape(lines.get(i)));
        }
    }

    /** At most {@link #MOST_LINES} lines that fit; what does not is in the hover text. */
    static List<String> wrap(String text, int width) {
        int most = (int) (width / CHAR_WIDTH);
        int comma = text.lastIndexOf(", ");
        if (text.length() > most && comma > 0 && comma < most && text.length() - comma - 2 <= most) {
            return List.of(text.substring(0, comma + 1), text.substring(comma + 2));
        }
        List<String> lines = lines(text, most);
        if (lines.size() > MOST_LINES) {
            lines.set(MOST_LINES - 1, lines.get(MOST_LINES - 1) + " …");
        }
        return lines.stream()
                .limit(MOST_LINES)
                .map(l -> fit(l, width, CHAR_WIDTH))
                .toList();
    }

    /** All of the text, in lines of at most so many characters where the words permit it. */
    private static List<String> lines(String text, int most) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (line.length() > 0 && line.length() + 1 + word.length() > most) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    private static String fit(String text, int width, double charWidth) {
        int most = (int) (width / charWidth);
        return text.length() <= most ? text : text.substring(0, most - 1) + "…";
    }

    private static String css(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    @SuppressWarnings("AnnotateFormatMethod") // formats are of this class alone
    private void line(String format, Object... values) {
        out.append(values.length == 0 ? format : String.format(Locale.ROOT, format, values))
                .append('\n');
    }
}
