package dev.fence.jdbc;

/** The isolation level of a write's transaction. A fenced write is safe at all three; they differ in what else they prevent. */
public enum Isolation {
    READ_COMMITTED("READ COMMITTED"),
    /** A write that met a newer row version is a {@code BusyException}. */
    REPEATABLE_READ("REPEATABLE READ"),
    /** A write that could not have come in any order is a {@code BusyException}. */
    SERIALIZABLE("SERIALIZABLE");

    private final String sql;

    Isolation(String sql) {
        this.sql = sql;
    }

    /** As SQL spells it. */
    String sql() {
        return sql;
    }
}
