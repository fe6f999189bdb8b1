package dev.fence.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds statements that end, begin or reshape a transaction in a text of SQL, before it is sent. A body that ended its
 * transaction would drop the check with it and go on unfenced. A rollback to a savepoint is harmless: the check is older than
 * every savepoint of the body.
 *
 * <p>A function body in {@code BEGIN ATOMIC} reads like statements of its own and is refused; create functions elsewhere.
 */
final class TransactionControl {

    private static final int WORDS_THAT_DECIDE = 4;

    private TransactionControl() {}

    /** The first words of the first statement in {@code sql} that controls the transaction. */
    static Optional<String> in(String sql) {
        SqlTokens tokens = new SqlTokens(sql);
        List<String> words = new ArrayList<>();
        boolean atTheBeginning = true;
        while (true) {
            SqlTokens.Kind kind = tokens.next();
            if (kind == SqlTokens.Kind.SEMICOLON || kind == SqlTokens.Kind.END) {
                if (controls(words)) {
                    return Optional.of(String.join(" ", words));
                }
                if (kind == SqlTokens.Kind.END) {
                    return Optional.empty();
                }
                words.clear();
                atTheBeginning = true;
            } else {
                atTheBeginning &= kind == SqlTokens.Kind.WORD && words.size() < WORDS_THAT_DECIDE;
                if (atTheBeginning) {
                    words.add(tokens.word());
                }
            }
        }
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
}
