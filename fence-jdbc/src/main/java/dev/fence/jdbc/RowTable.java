package dev.fence.jdbc;

import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A table each row of which is a resource of its own and carries its token. The resource of a row is named
 * {@code <table>/<key>}, the key as PostgreSQL prints it: {@code accounts/17}.
 *
 * <pre>{@code
 * ALTER TABLE accounts ADD COLUMN fence_token bigint, ADD COLUMN fence_holder uuid, ADD COLUMN fence_timeline bigint;
 * }</pre>
 *
 * All names match {@code [a-z_][a-z0-9_]{0,62}}, so that they never need quotes; the table's may have a schema in front.
 *
 * @param table an ordinary or a partitioned table, without rules and without row security for the fence's user
 * @param key the column that tells its rows apart, alone; unique
 * @param token a bigint column, for fence alone, as the next two
 * @param holder a uuid column
 * @param timeline a bigint column: the history of the database that the row was sealed on
 */
public record RowTable(String table, String key, String token, String holder, String timeline) {

    private static final String NAME = "[a-z_][a-z0-9_]{0,62}";
    private static final Pattern COLUMN = Pattern.compile(NAME);
    private static final Pattern TABLE = Pattern.compile("(" + NAME + "\\.)?" + NAME);

    /** @throws IllegalArgumentException if a name breaks its rule, or two columns are one */
    public RowTable {
        require("table", table, TABLE);
        require("key", key, COLUMN);
        require("token", token, COLUMN);
        require("holder", holder, COLUMN);
        require("timeline", timeline, COLUMN);
        if (Stream.of(key, token, holder, timeline).distinct().count() < 4) {
            throw new IllegalArgumentException("columns \"" + key + "\", \"" + token + "\", \"" + holder + "\" and \""
                    + timeline + "\" of table " + table + " must be four");
        }
    }

    /** With the columns {@code fence_token}, {@code fence_holder} and {@code fence_timeline}. */
    public static RowTable of(String table, String key) {
        return new RowTable(table, key, "fence_token", "fence_holder", "fence_timeline");
    }

    /** The key of a resource of this table. */
    String keyOf(String resource) {
        String prefix = table + "/";
        if (!resource.startsWith(prefix) || resource.length() == prefix.length()) {
            throw new IllegalArgumentException(
                    "resource \"" + resource + "\" is no row of table " + table + ": it must be " + prefix + "<key>");
        }
        return resource.substring(prefix.length());
    }

    private static void require(String what, String name, Pattern rule) {
        if (!rule.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    what + " \"" + name + "\" is malformed: it must match " + rule + ", so that it never needs quotes");
        }
    }
}
