package dev.fence.migrations;

import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/**
 * Brings the guard's tables and functions in a PostgreSQL to the version that this library needs.
 *
 * <p>It keeps a history of its own, {@code fence_schema_history} in the guard's schema, and does not touch an application's
 * Flyway. Whoever prefers to run the SQL by other means finds it on the class path under {@value #LOCATION}; the head of
 * each file says how.
 *
 * <p>Run it before the application starts, or at its start; several processes may do so at once.
 */
public final class FenceMigrations {

    /** Where the versioned SQL is on the class path. */
    public static final String LOCATION = "dev/fence/migrations";

    private static final String HISTORY_TABLE = "fence_schema_history";

    private FenceMigrations() {}

    /** {@link #migrate(DataSource, MigrationSettings)} with the default names. */
    public static void migrate(DataSource dataSource) {
        migrate(dataSource, MigrationSettings.DEFAULTS);
    }

    /**
     * Applies what is missing; each version in one transaction. Does nothing if all is there.
     *
     * @param dataSource gives connections (two at a time) of a user who may create schemas in this database and roles, or of
     *     one who is a member of the owner role where the roles exist
     * @throws FlywayException if it cannot be applied; the version that failed has left nothing behind
     */
    public static void migrate(DataSource dataSource, MigrationSettings settings) {
        configured(dataSource, settings).load().migrate();
    }

    static FluentConfiguration configured(DataSource dataSource, MigrationSettings settings) {
        return Flyway.configure(FenceMigrations.class.getClassLoader())
                .dataSource(dataSource)
                .schemas(settings.schema())
                .defaultSchema(settings.schema())
                .table(HISTORY_TABLE)
                .locations("classpath:" + LOCATION)
                .failOnMissingLocations(true)
                .validateMigrationNaming(true)
                .placeholders(Map.of(
                        "schema", settings.schema(),
                        "owner", settings.owner(),
                        "application", settings.application(),
                        "operator", settings.operator()));
    }
}
