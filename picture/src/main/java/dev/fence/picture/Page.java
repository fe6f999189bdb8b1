package dev.fence.picture;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** A page that shows pictures and tells each in words below: one file, no script, nothing is fetched. */
public final class Page {

    private static final String STYLE = """
            :root{color-scheme:light dark}
            body{font:16px/1.5 system-ui,'Segoe UI',sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;
            background:#fff;color:#1f2328}
            svg{max-width:100%;height:auto;display:block;margin:1.5rem 0 .5rem;border:1px solid #d0d7de;border-radius:8px}
            summary{cursor:pointer}
            @media (prefers-color-scheme:dark){body{background:#0d1117;color:#e6edf3}svg{border-color:#30363d}}
            """;

    /** What a reader's machine and a mail take without a thought. */
    public static final int MOST_BYTES = 200 * 1024;

    private Page() {}

    /**
     * The page of these pictures.
     *
     * @throws IllegalArgumentException if it would be larger than {@link #MOST_BYTES}
     */
    public static String html(String title, List<Picture> pictures) {
        StringBuilder page = new StringBuilder(
                        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>")
                .append(Svg.escape(title))
                .append("</title>\n<style>\n")
                .append(STYLE)
                .append("</style>\n</head>\n<body>\n<h1>")
                .append(Svg.escape(title))
                .append(
                        "</h1>\n<p>Time goes downwards. A bar in the lane of the lease service is a lease, a grey bar in the lane of a")
                .append(
                        " holder a pause. A cross is a refusal. Everything has a text: point at it, or go there by the tab key.</p>\n");
        pictures.forEach(picture -> add(page, picture));
        return small(page.append("</body>\n</html>\n").toString(), pictures);
    }

    private static String small(String page, List<Picture> pictures) {
        int bytes = page.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MOST_BYTES) {
            int rows = pictures.stream().mapToInt(p -> p.moments().size()).sum();
            throw new IllegalArgumentException("a page of " + pictures.size() + " pictures with " + rows
                    + " rows in all would have " + bytes + " bytes: " + MOST_BYTES
                    + " are permitted, so draw fewer pictures or shorter ones");
        }
        return page;
    }

    private static void add(StringBuilder page, Picture picture) {
        page.append(picture.svg()).append("<details><summary>In words</summary>\n<ol>\n");
        picture.moments()
                .forEach(moment -> page.append("<li>")
                        .append(Svg.escape(picture.words(moment)))
                        .append("</li>\n"));
        page.append("</ol>\n<p>").append(Svg.escape(picture.verdict())).append("</p>\n</details>\n");
    }
}
