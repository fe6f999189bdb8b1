package dev.fence.lab;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A page that shows a run in its code blocks: the matrix, and stories of combinations. What it says around them is left alone. */
final class Page {

    private static final Pattern BLOCK = Pattern.compile("^```\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

    private Page() {}

    /** The page with the matrix and the stories of {@code report} in place of those that it shows. */
    static String renewed(String page, Report report) {
        return BLOCK.matcher(page)
                .replaceAll(block -> Matcher.quoteReplacement("```\n" + renewedBlock(block.group(1), report) + "```"));
    }

    private static String renewedBlock(String block, Report report) {
        if (block.startsWith(Report.FIRST_COLUMN)) {
            return report.table() + "\n";
        }
        List<Result> told = report.results().stream()
                .filter(result -> block.startsWith(result.combination() + ": "))
                .toList();
        return told.isEmpty() ? block : story(told.get(0));
    }

    private static String story(Result result) {
        @Nullable Timeline shortest = result.shortest();
        if (shortest == null) {
            throw new IllegalArgumentException(
                    "the page tells a story of " + result.combination() + ", the run has none");
        }
        return Report.story(shortest);
    }
}
