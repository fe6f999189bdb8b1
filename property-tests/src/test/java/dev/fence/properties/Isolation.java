package dev.fence.properties;

/** The isolation levels at which the real fence is played. */
enum Isolation {
    READ_COMMITTED,
    REPEATABLE_READ,
    SERIALIZABLE;

    /** As a driver knows it. */
    String ofDriver() {
        return "TRANSACTION_" + name();
    }
}
