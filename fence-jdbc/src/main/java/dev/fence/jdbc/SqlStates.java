package dev.fence.jdbc;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The SQLSTATEs that decide something, and where to look for them. docs/postgresql.md has the same table for people. */
final class SqlStates {

    // raised by the guard's functions: class ZF is in the range that the standard leaves to implementations
    static final String GUARD_MISSING = "ZF001";
    static final String STALE = "ZF002";
    static final String REUSED_TOKEN = "ZF003";
    static final String FOREIGN_SOURCE = "ZF004";
    static final String OTHER_LEASE_NAME = "ZF005";
    static final String HISTORY_LOST = "ZF006";
    static final String NOT_SEALED = "ZF007";
    static final String BEGAN_BEFORE_SEAL = "ZF008";
    static final String CLOCK_BEHIND_SEAL = "ZF009";
    static final String BELOW_CREATION_FLOOR = "ZF010";
    static final String NOT_WRITABLE = "ZF011";
    static final String WRONG_ISOLATION = "ZF012";
    static final String CHANGE_SWALLOWED = "ZF014";

    /** Serialization failure, deadlock, lock wait, idle or whole transaction cut off: always before the commit took place. */
    private static final Set<String> NOT_COMMITTED = Set.of("40001", "40P01", "55P03", "25P03", "25P04");

    private SqlStates() {}

    /** Every SQLException in the cause chain, in {@link SQLException#getNextException()} too, nearest first. */
    static List<SQLException> within(Throwable thrown) {
        List<SQLException> found = new ArrayList<>();
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Throwable> open = new ArrayDeque<>(List.of(thrown));
        while (!open.isEmpty()) {
            Throwable next = open.remove();
            if (!seen.add(next)) {
                continue; // chains can be circular
            }
            if (next instanceof SQLException sql) {
                found.add(sql);
                addUnlessNull(open, sql.getNextException());
            }
            addUnlessNull(open, next.getCause());
        }
        return found;
    }

    private static void addUnlessNull(Deque<Throwable> open, @Nullable Throwable thrown) {
        if (thrown != null) {
            open.add(thrown);
        }
    }

    /** Even after COMMIT was sent: the server says that this transaction did not commit, and the same may be tried again. */
    static boolean saysNotCommitted(Throwable thrown) {
        return within(thrown).stream().anyMatch(e -> NOT_COMMITTED.contains(state(e)));
    }

    /** Before COMMIT was sent, when nothing can have changed: collisions, and everything that cut the connection off. */
    static boolean saysTryAgain(Throwable thrown) {
        return saysNotCommitted(thrown)
                || within(thrown).stream().anyMatch(e -> state(e).startsWith("08") || state(e).startsWith("57P"));
    }

    static String state(SQLException e) {
        String state = e.getSQLState();
        return state == null ? "" : state;
    }
}
