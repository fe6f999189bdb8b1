package dev.fence.migrations;

import java.util.regex.Pattern;

/**
 * Where the guard lives and who may do what with it. All names match {@code [a-z_][a-z0-9_]{0,62}} and are no keywords of
 * SQL, so that they never need quotes; a schema may not begin with {@code pg_}. The roles are created if they are missing,
 * without login.
 *
 * @param schema holds the tables and functions, and nothing of anybody else's; default {@code fence}
 * @param owner owns them; default {@code fence_owner}
 * @param application may create, seal and check guards through functions, and cannot touch a table; to be granted to the
 *     user whom the application connects as; default {@code fence_application}
 * @param operator may read the tables, and retire and override guards through functions; default {@code fence_operator}
 */
public record MigrationSettings(String schema, String owner, String application, String operator) {

    private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

    /** Schema {@code fence}, roles {@code fence_owner}, {@code fence_application} and {@code fence_operator}. */
    public static final MigrationSettings DEFAULTS =
            new MigrationSettings("fence", "fence_owner", "fence_application", "fence_operator");

    /** @throws IllegalArgumentException if a name breaks its rule, or two roles have the same name */
    public MigrationSettings {
        requireName("schema", schema);
        requireName("owner", owner);
        requireName("application", application);
        requireName("operator", operator);
        if (schema.startsWith("pg_")) {
            throw new IllegalArgumentException("schema \"" + schema + "\" begins with pg_, which PostgreSQL keeps");
        }
        if (owner.equals(application) || owner.equals(operator) || application.equals(operator)) {
            throw new IllegalArgumentException("owner \"" + owner + "\", application \"" + application
                    + "\" and operator \"" + operator + "\" must be three roles: their rights are kept apart");
        }
    }

    public MigrationSettings withSchema(String schema) {
        return new MigrationSettings(schema, owner, application, operator);
    }

    public MigrationSettings withRoles(String owner, String application, String operator) {
        return new MigrationSettings(schema, owner, application, operator);
    }

    private static void requireName(String what, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    what + " \"" + name + "\" is malformed: it must match " + NAME + ", so that it never needs quotes");
        }
    }
}
