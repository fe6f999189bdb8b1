package dev.fence.jdbc;

import dev.fence.UnsupportedStoreException;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.jdbc.AutoSave;
import org.postgresql.jdbc.PgConnection;

/** PostgreSQL's own driver behind a connection, with settings that a check can rely on. */
final class Driver {

    private Driver() {}

    /**
     * Asked of every connection, since a data source can give out different ones; it sends nothing.
     *
     * @throws UnsupportedStoreException if it is another driver, or is set up so that a refused check could be overlooked
     */
    static PgConnection of(Connection connection) throws SQLException {
        if (!connection.isWrapperFor(PgConnection.class)) {
            throw unsupported("a connection of " + connection.getClass().getName()
                    + " is none of PostgreSQL's own driver (org.postgresql) and does not unwrap to one");
        }
        PgConnection driver = connection.unwrap(PgConnection.class);
        if (driver.getAutosave() == AutoSave.ALWAYS) {
            throw unsupported(
                    "the driver setting autosave=always rolls back to before a refused check and lets the rest"
                            + " commit: use never or conservative");
        }
        if (!driver.getStandardConformingStrings()) {
            throw unsupported(
                    "standard_conforming_strings is off, so it cannot be told where a statement ends: set it on");
        }
        return driver;
    }

    /** Whether the driver has given the connection up. Asks nobody. */
    static boolean isCutOff(PgConnection driver) {
        try {
            return driver.isClosed();
        } catch (SQLException e) {
            return true;
        }
    }

    static UnsupportedStoreException unsupported(String why) {
        return new UnsupportedStoreException(why, null);
    }
}
