package dev.fence.stress;

import java.util.Locale;

/** The isolation levels of PostgreSQL. */
enum Level {
    READ_COMMITTED,
    REPEATABLE_READ,
    SERIALIZABLE;

    /** As in the settings of a server. */
    String sql() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
