package dev.fence.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a write's transaction begins with: returns if the writer may write, and keeps it so until the transaction ends. */
@FunctionalInterface
interface Check {

    /**
     * Checks, in the first statement of the transaction.
     *
     * @param longestTransaction after which the server cuts the transaction off
     * @return what the outcome can be told by; null if it was not asked for
     */
    Trace.@Nullable Transaction check(Connection connection, Duration longestTransaction) throws SQLException;
}
