package dev.fence.mutants;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One rule removed.
 *
 * @param file from the root of the project
 * @param function the SQL function in which {@code search} is looked for; null for the whole file
 * @param search must be there exactly once
 * @param module the tests are in
 * @param tests classes of that module, or methods as {@code Class#method}
 * @param mayLive why no test can be expected to notice; null for all others
 * @param mayHang why it shows by tests that do not end; null for all others
 */
record Mutant(
        String name,
        String file,
        @Nullable String function,
        String search,
        String replacement,
        String module,
        List<String> tests,
        @Nullable String mayLive,
        @Nullable String mayHang) {

    /**
     * The file's text without the rule.
     *
     * @throws IllegalArgumentException if the rule is not there, or not only once
     */
    String applyTo(String text) {
        int from = function == null ? 0 : indexOnce(text, headOf(function, text));
        int to = function == null ? text.length() : indexOnce(text, "$" + function + "$;");
        String region = text.substring(from, to);
        int at = indexOnce(region, search);
        return text.substring(0, from)
                + region.substring(0, at)
                + replacement
                + region.substring(at + search.length())
                + text.substring(to);
    }

    private static String headOf(String function, String text) {
        String head = " FUNCTION ${schema}." + function + "(";
        return (text.contains("CREATE" + head) ? "CREATE" : "CREATE OR REPLACE") + head;
    }

    private int indexOnce(String text, String piece) {
        int at = text.indexOf(piece);
        if (at < 0 || text.indexOf(piece, at + 1) >= 0) {
            throw new IllegalArgumentException("mutant " + name + ": " + file + " has "
                    + (at < 0 ? "no" : "more than one") + " place with\n" + piece + "\nexactly one is wanted");
        }
        return at;
    }

    boolean isJava() {
        return file.endsWith(".java");
    }
}
