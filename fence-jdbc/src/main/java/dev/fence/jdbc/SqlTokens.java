package dev.fence.jdbc;

import java.util.Locale;

/**
 * Takes a text of SQL to pieces as PostgreSQL does: nested comments, quoted names, string constants (with backslashes in
 * {@code E''}), and dollar quotes. What a piece means is for the caller to say.
 */
final class SqlTokens {

    enum Kind {
        WORD,
        SEMICOLON,
        /** A parameter of JDBC's; the driver writes an operator's question mark twice. */
        PLACEHOLDER,
        OTHER,
        END
    }

    private final String sql;
    private int at;
    private String word = "";

    SqlTokens(String sql) {
        this.sql = sql;
    }

    /** The last word, in upper case. */
    String word() {
        return word;
    }

    /** Behind the last piece. */
    int position() {
        return at;
    }

    Kind next() {
        skipBlanks();
        if (at >= sql.length()) {
            return Kind.END;
        }
        char c = sql.charAt(at);
        if (c == ';') {
            at++;
            return Kind.SEMICOLON;
        } else if (c == '?') {
            boolean operator = sql.startsWith("??", at);
            at += operator ? 2 : 1;
            return operator ? Kind.OTHER : Kind.PLACEHOLDER;
        } else if (isWordStart(c)) {
            word = readWord();
            return Kind.WORD;
        }
        skipQuotedOrOne(c);
        return Kind.OTHER;
    }

    private void skipBlanks() {
        while (at < sql.length()) {
            if (Character.isWhitespace(sql.charAt(at))) {
                at++;
            } else if (sql.startsWith("--", at)) {
                skipLine();
            } else if (sql.startsWith("/*", at)) {
                skipComment();
            } else {
                return;
            }
        }
    }

    private String readWord() {
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
