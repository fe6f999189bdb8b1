package dev.fence.jdbc;

/** Which writes leave something to {@linkplain JdbcFence#verify verify} an unknown outcome by. */
public enum Verification {
    /** None: an unknown outcome can be told by the caller's own data alone. */
    NONE,
    /**
     * Transactions, by their number, which costs nothing that a transaction which changes something would not cost by itself. One
     * that only reads uses up a transaction number, too, and writes a commit record that nobody waits for.
     */
    TRANSACTIONS,
    /** Also each {@link JdbcWriter#execute}, by a row that is written along: 170 bytes of WAL, no trip. */
    STATEMENTS_TOO
}
