package dev.fence.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Finds statements that end, begin or reshape a transaction in a text of SQL, before it is sent. A body that ended its
 * transaction would drop the check with it and go on unfenced. A rollback to a savepoint is harmless: the check is older than
 * every savepoint of the body.
 *
 * <p>Reads what PostgreSQL reads: nested comments, quoted names, string constants (with backslashes in {@code E''}), and dollar
 * quotes. A function body in {@code BEGIN ATOMIC} reads like statements of its own and is refused; create functions elsewhere.
 */
final class TransactionControl {

    private static final int WORDS_THAT_DECIDE = 4;

    private final String sql;
    private int at;

    private TransactionControl(String sql) {
        this.sql = sql;
    }

    /** The first words of the first statement in {@code sql} that controls the transaction. */
    static Optional<String> in(String sql) {
        TransactionControl scan = new TransactionControl(sql);
        while (scan.at < sql.length()) {
            List<String> words = scan.nextStatement();
            if (controls(words)) {
                return Optional.of(String.join(" ", words));
            }
        }
        return Optional.empty();
    }

    private static boolean controls(List<String> words) {
        String second = words.size() > 1 ? words.get(1) : "";
        String third = words.size() > 2 ? words.get(2) : "";
        return switch (words.isEmpty() ? "" : words.get(0)) {
            case "BEGIN", "START", "COMMIT", "END", "ABORT" -> true;
            case "ROLLBACK" ->
                !second.equals("TO")
                        && !(third.equals("TO") && (second.equals("WORK") || second.equals("TRANSACTION")));
            case "PREPARE" -> second.equals("TRANSACTION");
            case "SET" ->
                second.equals("TRANSACTION")
                        || (third.equals("TRANSACTION") && (second.equals("LOCAL") || second.equals("SESSION")))
                        || (third.equals("CHARACTERISTICS") && second.equals("SESSION"));
            default -> false;
        };
    }

    /** Goes past the next semicolon and returns the words that the statement begins with. */
    private List<String> nextStatement() {
        List<String> words = new ArrayList<>();
        boolean atItsBeginning = true;
        while (at < sql.length()) {
            char c = sql.charAt(at);
            if (c == ';') {
                at++;
                return words;
            } else if (Character.isWhitespace(c)) {
                at++;
            } else if (sql.startsWith("--", at)) {
                skipLine();
            } else if (sql.startsWith("/*", at)) {
                skipComment();
            } else if (isWordStart(c)) {
                String word = word();
                atItsBeginning = atItsBeginning && words.size() < WORDS_THAT_DECIDE;
                if (atItsBeginning) {
                    words.add(word);
                }
            } else {
                skipQuotedOrOne(c);
                atItsBeginning = false;
            }
        }
        return words;
    }

    private String word() {
        int start = at;
        while (at < sql.length() && isWordPart(sql.charAt(at))) {
            at++;
        }
        String word = sql.substring(start, at).toUpperCase(Locale.ROOT);
        if (word.equals("E") && at < sql.length() && sql.charAt(at) == '\'') {
            skipEscaped();
        }
        return word;
    }

    private void skipQuotedOrOne(char c) {
        if (c == '\'' || c == '"') {
            skipQuoted(c);
        } else if (c != '$' || !skipDollarQuoted()) {
            at++;
        }
    }

    /** A doubled quote is two quoted texts side by side: it reads the same. */
    private void skipQuoted(char quote) {
        int end = sql.indexOf(quote, at + 1);
        at = end < 0 ? sql.length() : end + 1;
    }

    /** An {@code E''} constant goes on, backslashes included, in a quote that follows it at once or on a later line. */
    private void skipEscaped() {
        while (at < sql.length() && sql.charAt(at) == '\'') {
            at++;
            while (at < sql.length() && sql.charAt(at) != '\'') {
                at += sql.charAt(at) == '\\' ? 2 : 1;
            }
            at++;
            while (at < sql.length() && (Character.isWhitespace(sql.charAt(at)) || sql.startsWith("--", at))) {
                if (sql.charAt(at) == '-') {
                    skipLine();
                } else {
                    at++;
                }
            }
        }
    }

    private boolean skipDollarQuoted() {
        int tagEnd = at + 1;
        while (tagEnd < sql.length() && sql.charAt(tagEnd) != '$' && isWordPart(sql.charAt(tagEnd))) {
            tagEnd++;
        }
        boolean isTag = tagEnd < sql.length()
                && sql.charAt(tagEnd) == '$'
                && (tagEnd == at + 1 || isWordStart(sql.charAt(at + 1)));
        if (!isTag) {
            return false; // a parameter such as $1
        }
        String tag = sql.substring(at, tagEnd + 1);
        int end = sql.indexOf(tag, tagEnd + 1);
        at = end < 0 ? sql.length() : end + tag.length();
        return true;
    }

    private void skipLine() {
        while (at < sql.length() && sql.charAt(at) != '\n' && sql.charAt(at) != '\r') {
            at++;
        }
    }

    private void skipComment() {
        int depth = 0;
        do {
            if (sql.startsWith("/*", at)) {
                depth++;
                at += 2;
            } else if (sql.startsWith("*/", at)) {
                depth--;
                at += 2;
            } else {
                at++;
            }
        } while (depth > 0 && at < sql.length());
    }

    private static boolean isWordStart(char c) {
        return Character.isLetter(c) || c == '_' || c > 127;
    }

    private static boolean isWordPart(char c) {
        return isWordStart(c) || Character.isDigit(c) || c == '$';
    }
}
