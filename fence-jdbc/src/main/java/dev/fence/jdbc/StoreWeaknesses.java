package dev.fence.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.jdbc.PgConnection;

/** What keeps a database from nothing, and weakens what it promises: for the log, at the start. */
final class StoreWeaknesses {

    private static final String FOUND = "SELECT current_setting('fsync') = 'off' AS fsync,"
            + " current_setting('full_page_writes') = 'off' AS pages,"
            + " current_setting('synchronous_commit') = 'off' AS asynchronous,"
            + " current_setting('synchronous_standby_names') = '' OR current_setting('synchronous_commit') IN ('off', 'local') AS alone,"
            + " pg_backend_pid() AS backend,"
            + " (SELECT bool_or(has_table_privilege(c.oid, 'UPDATE') OR has_table_privilege(c.oid, 'TRIGGER'))"
            + " FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ? AND c.relname = 'guard')"
            + " AS mighty";

    private StoreWeaknesses() {}

    static List<String> of(Connection connection, PgConnection driver, String schema) throws SQLException {
        List<String> weaknesses = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(FOUND)) {
            statement.setString(1, schema);
            try (ResultSet found = statement.executeQuery()) {
                found.next();
                addIf(
                        found.getBoolean("fsync") || found.getBoolean("pages"),
                        weaknesses,
                        "fsync or full_page_writes is off: acknowledged seals and writes can be lost in a crash of the machine");
                addIf(
                        found.getBoolean("asynchronous"),
                        weaknesses,
                        "synchronous_commit is off: seals are durable all the same, acknowledged writes can be lost in a crash");
                addIf(
                        found.getBoolean("alone"),
                        weaknesses,
                        "no standby confirms commits: acknowledged seals can be lost in a failover, after which nobody writes"
                                + " before a confirmed holder has sealed again");
                addIf(
                        found.getBoolean("mighty"),
                        weaknesses,
                        "this user may change guards by itself, past the functions: connect as one who has the role of the"
                                + " application and no more");
                // who stands between names a backend of its own making
                addIf(
                        found.getInt("backend") != driver.getBackendPID() && driver.getPrepareThreshold() != 0,
                        weaknesses,
                        "there is a pooler before the server and prepared statements are on: unless the pooler keeps those of"
                                + " its clients apart (PgBouncer from 1.21 on, with max_prepared_statements), one can run in"
                                + " place of another; set the driver's prepareThreshold=0");
            }
        }
        return weaknesses;
    }

    private static void addIf(boolean condition, List<String> weaknesses, String weakness) {
        if (condition) {
            weaknesses.add(weakness);
        }
    }
}
