package dev.fence.jdbc;

import dev.fence.UnsupportedStoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;
import org.postgresql.jdbc.PgConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks a database at the start whether it can keep a guard. What it cannot do is refused; what merely weakens it is logged. */
final class StoreCheck {

    private static final Logger LOG = LoggerFactory.getLogger(StoreCheck.class);

    private static final int OLDEST_VERSION = 140000;

    private static final List<String> FUNCTIONS = List.of(
            "timeline_v1()",
            "create_v1(text, text, text, bigint, uuid, text, integer, bigint)",
            "seal_v1(text, text, text, bigint, uuid, text, integer, bigint)",
            "check_v1(text, text, text, bigint, uuid, integer, integer)",
            "incarnation_v1()",
            "record_v1(uuid, bigint)",
            "verify_v1(text, bigint, bigint, xid8, bigint, integer)",
            "settle_v1(text, bigint, uuid, bigint, integer)",
            "begin_row_v1(integer, integer)",
            "end_row_v1()",
            "blockers_v1(text)");

    private static final String SERVER = "SELECT current_setting('server_version_num')::integer AS version,"
            + " pg_is_in_recovery() AS standby, current_setting('transaction_read_only') AS read_only,"
            + " current_setting('server_encoding') AS encoding, current_setting('fsync') AS fsync,"
            + " current_setting('full_page_writes') AS full_page_writes,"
            + " current_setting('synchronous_commit') AS synchronous_commit";

    // From the catalogs and not by to_regprocedure, which raises an error where USAGE on the schema is missing.
    private static final String FUNCTION = "SELECT has_schema_privilege(n.oid, 'USAGE')"
            + " AND has_function_privilege(p.oid, 'EXECUTE') AS permitted"
            + " FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace"
            + " WHERE n.nspname = ? AND p.proname || '(' || oidvectortypes(p.proargtypes) || ')' = ?";

    private static final String TOKEN_TYPE = "SELECT format_type(a.atttypid, a.atttypmod) AS type"
            + " FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace"
            + " WHERE n.nspname = ? AND c.relname = 'guard' AND a.attname = 'token' AND NOT a.attisdropped";

    private static final String TAKE_LOCK = "SELECT pg_try_advisory_xact_lock_shared(?)";

    private static final String SEE_LOCK = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"
            + " AND pid = pg_backend_pid() AND granted AND objsubid = 1"
            + " AND classid::bigint << 32 | objid::bigint = ?";

    private StoreCheck() {}

    /**
     * Returns if the database can keep a guard.
     *
     * @throws UnsupportedStoreException if it cannot; the message says what to fix
     */
    static void require(DataSource dataSource, String schema) {
        try (OwnTransaction transaction = OwnTransaction.begin(dataSource)) {
            Connection connection = transaction.connection();
            requireServer(connection);
            warnOfPooler(connection, transaction.driver());
            for (String function : FUNCTIONS) {
                requireFunction(connection, schema, function);
            }
            requireWideToken(connection, schema);
            requireRealLocks(connection);
        } catch (SQLException e) {
            throw Refusals.ofStore(e, "the database could not be asked whether it can keep a guard");
        }
    }

    private static void requireServer(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet server = statement.executeQuery(SERVER)) {
            server.next();
            require(
                    server.getInt("version") >= OLDEST_VERSION,
                    "the server is of version " + server.getInt("version")
                            + ": 140000 (PostgreSQL 14) or later is needed");
            require(!server.getBoolean("standby"), "the server is a standby: a guard is kept by the primary alone");
            require(
                    server.getString("read_only").equals("off"),
                    "transactions are read-only here: give the fence a data source for writing");
            require(
                    server.getString("encoding").equals("UTF8"),
                    "the database is encoded in " + server.getString("encoding")
                            + ": names are compared byte for byte in UTF8");
            for (String durability : List.of("fsync", "full_page_writes", "synchronous_commit")) {
                if (server.getString(durability).equals("off")) {
                    LOG.warn("{} is off: {}", durability, weakness(durability));
                }
            }
        }
    }

    /** Who stands between names a backend of its own making. */
    private static void warnOfPooler(Connection connection, PgConnection driver) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet backend = statement.executeQuery("SELECT pg_backend_pid()")) {
            backend.next();
            if (backend.getInt(1) != driver.getBackendPID() && driver.getPrepareThreshold() != 0) {
                LOG.warn(
                        "there is a pooler before the server and prepared statements are on: unless the pooler keeps those"
                                + " of its clients apart (PgBouncer from 1.21 on, with max_prepared_statements), one can run in place"
                                + " of another; set the driver's prepareThreshold=0");
            }
        }
    }

    private static String weakness(String setting) {
        return setting.equals("synchronous_commit")
                ? "seals are durable all the same, acknowledged writes can be lost in a crash"
                : "acknowledged seals and writes can be lost in a crash of the machine";
    }

    private static void requireFunction(Connection connection, String schema, String function) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(FUNCTION)) {
            statement.setString(1, schema);
            statement.setString(2, function);
            try (ResultSet found = statement.executeQuery()) {
                require(
                        found.next(),
                        "there is no function " + schema + "." + function + ": apply the migrations with"
                                + " FenceMigrations.migrate(dataSource), or name the schema they were applied to");
                require(
                        found.getBoolean("permitted"),
                        "this user may not call " + schema + "." + function
                                + ": grant it the role of the application (fence_application by default)");
            }
        }
    }

    private static void requireWideToken(Connection connection, String schema) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(TOKEN_TYPE)) {
            statement.setString(1, schema);
            try (ResultSet found = statement.executeQuery()) {
                String type = found.next() ? found.getString("type") : "missing";
                require(
                        type.equals("bigint"),
                        "column " + schema + ".guard.token is " + type + ": tokens are 64 bits wide, make it bigint");
            }
        }
    }

    /** Something between here and the server, or a look-alike of it, can accept advisory locks and keep none. */
    private static void requireRealLocks(Connection connection) throws SQLException {
        long key = ThreadLocalRandom.current().nextLong();
        boolean seen = ask(connection, TAKE_LOCK, key).equals("t")
                && ask(connection, SEE_LOCK, key).equals("1");
        require(
                seen,
                "a transaction does not see its own advisory lock in pg_locks, so nothing would make a sealer wait for a"
                        + " write: use PostgreSQL, and a pooler in session or transaction mode");
    }

    private static String ask(Connection connection, String sql, long key) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, key);
            try (ResultSet answer = statement.executeQuery()) {
                answer.next();
                return answer.getString(1);
            }
        }
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new UnsupportedStoreException(otherwise, null);
        }
    }
}
