package dev.fence.guard;

import dev.fence.fixtures.PostgresServer;
import dev.fence.migrations.FenceMigrations;
import org.jooq.codegen.GenerationTool;
import org.jooq.meta.jaxb.Configuration;
import org.jooq.meta.jaxb.Database;
import org.jooq.meta.jaxb.Generate;
import org.jooq.meta.jaxb.Generator;
import org.jooq.meta.jaxb.Jdbc;
import org.jooq.meta.jaxb.Target;

/**
 * Migrates a database of its own and writes its tables down as jOOQ classes. Run by the build. The functions are left out: a check
 * beside a write, in a statement of its own, would look sufficient and is not.
 */
final class GenerateTables {

    private GenerateTables() {}

    /** The folder to generate into. */
    public static void main(String[] args) throws Exception {
        PostgresServer server = PostgresServer.shared();
        String database = server.createDatabase();
        FenceMigrations.migrate(server.dataSource(database));
        GenerationTool.generate(new Configuration()
                .withJdbc(new Jdbc()
                        .withDriver("org.postgresql.Driver")
                        .withUrl(server.jdbcUrl(database))
                        .withUser(server.user())
                        .withPassword(server.password()))
                .withGenerator(new Generator()
                        .withDatabase(new Database()
                                .withName("org.jooq.meta.postgres.PostgresDatabase")
                                .withInputSchema("fence")
                                .withOutputSchemaToDefault(false)
                                .withIncludes(".*")
                                .withExcludes("fence_schema_history.*")
                                .withIncludeRoutines(false)
                                .withIncludeUDTs(false))
                        .withGenerate(new Generate().withGeneratedAnnotation(true).withComments(true))
                        .withTarget(new Target()
                                .withPackageName("dev.fence.guard.jooq")
                                .withDirectory(args[0]))));
    }
}
