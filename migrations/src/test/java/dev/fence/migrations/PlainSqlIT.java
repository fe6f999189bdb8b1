package dev.fence.migrations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.fixtures.PostgresServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import liquibase.Contexts;
import liquibase.Liquibase;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.ClassLoaderResourceAccessor;
import liquibase.resource.CompositeResourceAccessor;
import liquibase.resource.DirectoryResourceAccessor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** The scripts without Flyway: whatever runs plain SQL makes the same of a database. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PlainSqlIT {

    private static final List<String> SCRIPTS = List.of(
            "V1__guard.sql",
            "V2__write_outcomes.sql",
            "V3__locks.sql",
            "V4__protected_tables.sql",
            "V5__effects.sql",
            "V6__slots.sql");

    /** Tables, functions and triggers with all that makes them, and who may do what with them. */
    private static final String EVERYTHING =
            "SELECT pg_get_functiondef(p.oid) || coalesce(p.proacl::text, '') || p.proowner::regrole::text FROM pg_proc p"
                    + " WHERE p.pronamespace = 'fence'::regnamespace"
                    + " UNION ALL SELECT c.relname || ' ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)"
                    + " || coalesce(c.relacl::text, '') || c.relowner::regrole::text FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid"
                    + " WHERE c.relnamespace = 'fence'::regnamespace AND a.attnum > 0 AND c.relname NOT LIKE 'fence_schema_history%'"
                    + " UNION ALL SELECT pg_get_triggerdef(t.oid) || t.tgenabled::text FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
                    + " WHERE c.relnamespace = 'fence'::regnamespace AND NOT t.tgisinternal"
                    + " UNION ALL SELECT pg_get_constraintdef(o.oid) FROM pg_constraint o WHERE o.connamespace = 'fence'::regnamespace"
                    + " AND o.conname NOT LIKE 'fence_schema_history%'"
                    + " ORDER BY 1";

    private final PostgresServer server = PostgresServer.shared();
    private final PGSimpleDataSource dataSource = server.dataSource(server.createDatabase());
    private List<String> byFlyway = List.of();

    @TempDir
    private Path folder;

    @BeforeEach
    void migrateAnotherDatabase() throws SQLException {
        PGSimpleDataSource other = server.dataSource(server.createDatabase());
        FenceMigrations.migrate(other);
        byFlyway = everything(other);
    }

    /** As psql does, or any tool that knows nothing of fence. */
    @Test
    void eachScriptIsOneTransactionOfPlainSql() throws SQLException, IOException {
        for (String script : SCRIPTS) {
            try (Connection connection = dataSource.getConnection();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.execute(replaced(script));
                connection.commit();
            }
        }
        assertThat(everything(dataSource)).isEqualTo(byFlyway);
    }

    @Test
    void liquibaseRunsThemAsTheyAre() throws Exception {
        StringBuilder changes = new StringBuilder("""
                <databaseChangeLog xmlns="http://www.liquibase.org/xml/ns/dbchangelog"
                    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
                    xsi:schemaLocation="http://www.liquibase.org/xml/ns/dbchangelog
                      http://www.liquibase.org/xml/ns/dbchangelog/dbchangelog-latest.xsd">
                  <property name="schema" value="fence"/>
                  <property name="owner" value="fence_owner"/>
                  <property name="application" value="fence_application"/>
                  <property name="operator" value="fence_operator"/>
                """);
        for (String script : SCRIPTS) {
            changes.append("""
                      <changeSet id="%s" author="fence">
                        <sqlFile path="%s/%s" splitStatements="false" stripComments="false"/>
                      </changeSet>
                    """.formatted(script, FenceMigrations.LOCATION, script));
        }
        Files.writeString(folder.resolve("changes.xml"), changes + "</databaseChangeLog>");
        try (Connection connection = dataSource.getConnection();
                Liquibase liquibase = new Liquibase(
                        "changes.xml",
                        new CompositeResourceAccessor(
                                new DirectoryResourceAccessor(folder), new ClassLoaderResourceAccessor()),
                        new JdbcConnection(connection))) {
            liquibase.update(new Contexts());
        }
        assertThat(everything(dataSource)).isEqualTo(byFlyway);
    }

    /** So that a new version is not forgotten here. */
    @Test
    void theseAreAllScripts() throws Exception {
        Path scripts = Path.of("src/main/resources", FenceMigrations.LOCATION);
        try (Stream<Path> found = Files.list(scripts)) {
            assertThat(found.map(path -> path.getFileName().toString()).filter(name -> name.endsWith(".sql")))
                    .containsExactlyInAnyOrderElementsOf(SCRIPTS);
        }
    }

    private static String replaced(String script) throws IOException {
        try (var in = FenceMigrations.class.getResourceAsStream(script)) {
            assertThat(in).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .replace("${schema}", "fence")
                    .replace("${owner}", "fence_owner")
                    .replace("${application}", "fence_application")
                    .replace("${operator}", "fence_operator");
        }
    }

    private static List<String> everything(PGSimpleDataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(EVERYTHING)) {
            List<String> rows = new ArrayList<>();
            while (result.next()) {
                rows.add(result.getString(1));
            }
            return rows;
        }
    }
}
