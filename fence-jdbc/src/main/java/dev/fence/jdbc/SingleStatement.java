package dev.fence.jdbc;

import java.util.Set;

/**
 * What may follow a check in one message: a single statement that changes rows and returns none. Everything else could come to
 * stand in another transaction than its check:
 *
 * <ul>
 *   <li>CALL and DO can commit in the middle, and so do statements that refuse transactions; they are none of these four.
 *   <li>Where rows are to come back whose size it cannot estimate, the driver sends a Sync before the statement, and the Sync
 *       commits the check. So no SELECT, no WITH, which can end in one, and no RETURNING.
 * </ul>
 */
final class SingleStatement {

    private static final Set<String> CHANGE_ROWS = Set.of("INSERT", "UPDATE", "DELETE", "MERGE");

    private SingleStatement() {}

    /**
     * Returns the statement without what ends it.
     *
     * @throws IllegalArgumentException if {@code sql} is anything else, or has not that many placeholders
     */
    static String require(String sql, int parameters) {
        SqlTokens tokens = new SqlTokens(sql);
        if (tokens.next() != SqlTokens.Kind.WORD || !CHANGE_ROWS.contains(tokens.word())) {
            throw refused(sql, "it must begin with INSERT, UPDATE, DELETE or MERGE");
        }
        int placeholders = 0;
        boolean ended = false;
        int end = sql.length();
        for (SqlTokens.Kind kind = tokens.next(); kind != SqlTokens.Kind.END; kind = tokens.next()) {
            if (ended) {
                throw refused(sql, "it must be a single statement");
            }
            if (kind == SqlTokens.Kind.WORD && tokens.word().equals("RETURNING")) {
                throw refused(sql, "RETURNING is not permitted");
            }
            ended = kind == SqlTokens.Kind.SEMICOLON;
            if (ended) {
                end = tokens.position() - 1;
            }
            placeholders += kind == SqlTokens.Kind.PLACEHOLDER ? 1 : 0;
        }
        if (placeholders != parameters) {
            throw refused(sql, "it has " + placeholders + " placeholders for " + parameters + " parameters");
        }
        return sql.substring(0, end);
    }

    private static IllegalArgumentException refused(String sql, String rule) {
        return new IllegalArgumentException(
                "\"" + sql + "\" cannot be executed in one trip: " + rule + "; write() and call() take any statement");
    }
}
