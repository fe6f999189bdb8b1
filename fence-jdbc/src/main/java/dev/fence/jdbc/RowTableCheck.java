package dev.fence.jdbc;

import dev.fence.UnsupportedStoreException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Asks a database at the start whether rows of a table can carry tokens. */
final class RowTableCheck {

    private static final String KIND =
            "SELECT c.relkind::text AS kind, c.relhasrules AS rules, row_security_active(c.oid) AS filtered,"
                    + " has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'UPDATE') AS permitted,"
                    + " EXISTS (SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]"
                    + " WHERE i.indrelid = c.oid AND i.indisunique AND i.indisvalid AND i.indnkeyatts = 1 AND i.indpred IS NULL"
                    + " AND a.attname = ?) AS one_row"
                    + " FROM pg_class c WHERE c.oid = to_regclass(?)";

    private static final String COLUMNS = "SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute"
            + " WHERE attrelid = to_regclass(?) AND attnum > 0 AND NOT attisdropped";

    private RowTableCheck() {}

    /**
     * Returns the type of the key.
     *
     * @throws UnsupportedStoreException if the table cannot carry tokens; the message says what to fix
     */
    static String require(DataSource dataSource, RowTable table) {
        try (OwnTransaction transaction = OwnTransaction.begin(dataSource)) {
            requireTable(transaction, table);
            Map<String, String> types = columns(transaction, table);
            requireType(table, types, table.token(), "bigint", "tokens are 64 bits wide");
            requireType(table, types, table.holder(), "uuid", "holders are 128 bits wide");
            requireType(table, types, table.timeline(), "bigint", "a narrower one could not name every timeline");
            return String.valueOf(types.get(table.key()));
        } catch (SQLException e) {
            throw Refusals.ofStore(e, "the database could not be asked about table " + table.table());
        }
    }

    private static void requireTable(OwnTransaction transaction, RowTable table) throws SQLException {
        try (PreparedStatement statement = transaction.connection().prepareStatement(KIND)) {
            statement.setString(1, table.key());
            statement.setString(2, table.table());
            try (ResultSet found = statement.executeQuery()) {
                require(found.next(), table, "there is no such table");
                require(
                        found.getString("kind").matches("[rp]"),
                        table,
                        "it is neither an ordinary nor a partitioned table");
                require(!found.getBoolean("rules"), table, "a rule can make an update anything");
                require(!found.getBoolean("filtered"), table, "row security can hide a row from its seal");
                require(found.getBoolean("permitted"), table, "this user may not SELECT and UPDATE it");
                require(
                        found.getBoolean("one_row"),
                        table,
                        "column " + table.key() + " alone must have a unique index: one key is one resource");
            }
        }
    }

    private static Map<String, String> columns(OwnTransaction transaction, RowTable table) throws SQLException {
        Map<String, String> types = new HashMap<>();
        try (PreparedStatement statement = transaction.connection().prepareStatement(COLUMNS)) {
            statement.setString(1, table.table());
            try (ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    types.put(found.getString(1), found.getString(2));
                }
            }
        }
        return types;
    }

    private static void requireType(
            RowTable table, Map<String, String> types, String column, String wanted, String why) {
        @Nullable String type = types.get(column);
        require(
                wanted.equals(type),
                table,
                "column " + column + " is " + (type == null ? "missing" : type) + ": " + why + ", make it " + wanted);
    }

    private static void require(boolean condition, RowTable table, String otherwise) {
        if (!condition) {
            throw new UnsupportedStoreException(
                    "rows of table " + table.table() + " cannot carry tokens: " + otherwise, null);
        }
    }
}
