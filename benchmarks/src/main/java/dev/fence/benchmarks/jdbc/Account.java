package dev.fence.benchmarks.jdbc;

/** A row to change, and the resource that it belongs to. Each row belongs to one thread: what is measured is never a row wait. */
record Account(long id, String resource) {

    static final String UPDATE = "UPDATE account SET balance = balance + 1 WHERE id = ?";
}
