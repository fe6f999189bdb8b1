package dev.fence.migrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.fixtures.PostgresServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class FenceMigrationsIT {

    private static final String FUNCTIONS =
            "SELECT p.proname || '(' || pg_get_function_arguments(p.oid) || ') returns '"
                    + " || pg_get_function_result(p.oid) || ' ' || p.provolatile::text || CASE WHEN p.prosecdef THEN ' definer ' ELSE ' '"
                    + " END || coalesce(array_to_string(p.proconfig, ' '), '')"
                    + " FROM pg_proc p WHERE p.pronamespace = 'fence'::regnamespace AND p.proname ~ '_v[0-9]+$' ORDER BY 1";
    private static final String COLUMNS =
            "SELECT c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)"
                    + " || coalesce(' collate ' || (SELECT l.collname FROM pg_collation l WHERE l.oid = a.attcollation"
                    + " AND l.collname <> 'default'), '')"
                    + " || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END"
                    + " FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid WHERE c.relnamespace = 'fence'::regnamespace"
                    + " AND c.relkind = 'r' AND c.relname <> 'fence_schema_history' AND a.attnum > 0 AND NOT a.attisdropped"
                    + " ORDER BY c.relname, a.attnum";

    private static final String RIGHTS =
            "SELECT r.rolname || ' ' || o.name || ' ' || string_agg(lower(a.privilege_type), ' ' ORDER BY a.privilege_type)"
                    + " FROM (SELECT proname AS name, proowner AS owner, coalesce(proacl, acldefault('f', proowner)) AS acl"
                    + " FROM pg_proc WHERE pronamespace = 'fence'::regnamespace"
                    + " UNION ALL SELECT relname, relowner, coalesce(relacl, acldefault('r', relowner))"
                    + " FROM pg_class WHERE relnamespace = 'fence'::regnamespace AND relkind IN ('r', 'S')) o,"
                    + " aclexplode(o.acl) a JOIN pg_roles r ON r.oid = a.grantee"
                    + " WHERE r.oid <> o.owner GROUP BY r.rolname, o.name ORDER BY r.rolname COLLATE \"C\", o.name COLLATE \"C\"";

    private static final int NEWEST = 6;

    private final PostgresServer server = PostgresServer.shared();
    private final String database = server.createDatabase();
    private final DataSource dataSource = server.dataSource(database);

    /** Two versions of the library run side by side: what is in these files is never changed, only added to. */
    @Test
    void signaturesAndColumnsOfEveryVersionAreAsEverBefore() throws SQLException, IOException {
        for (int version = 1; version <= NEWEST; version++) {
            upgradeTo(version);
            List<String> found = new ArrayList<>(column(FUNCTIONS));
            found.addAll(column(COLUMNS));
            for (int earlier = 1; earlier <= version; earlier++) {
                List<String> golden =
                        golden("v" + earlier + ".golden.txt").lines().toList();
                assertThat(found)
                        .as("version " + earlier + " after the upgrade to " + version)
                        .containsAll(golden);
                found.removeAll(golden);
            }
            assertThat(found).as("not in the golden file of version " + version).isEmpty();
        }
    }

    /** A process of the old version goes on, and so does what it has sealed, while the database is upgraded under it. */
    @Test
    void guardsAndOldCallersOutliveEveryUpgrade() throws SQLException {
        upgradeTo(1);
        String grant = "'r', 's', 'l', 7, '00000000-0000-0000-0000-000000000007'::uuid";
        run("SELECT fence.create_v1(" + grant + ", '', 1000, fence.timeline_v1())");
        try (Connection old = dataSource.getConnection();
                PreparedStatement check =
                        old.prepareStatement("SELECT fence.check_v1(" + grant + ", 1000, NULL), ?::int")) {
            for (int version = 1; version <= NEWEST; version++) {
                upgradeTo(version);
                for (int i = 0; i < 8; i++) { // past the driver's threshold for prepared statements
                    check.setInt(1, i);
                    check.execute();
                }
                assertThat(column("SELECT fence.seal_v1(" + grant + ", '', 1000, NULL)"))
                        .containsExactly("f");
            }
            run("SELECT fence.seal_v1('r', 's', 'l', 8, gen_random_uuid(), '', 1000, NULL)");
            assertThatThrownBy(check::execute).hasMessageContaining("a newer holder has sealed");
        }
    }

    /** The triggers of protected tables run as whoever writes, and an owner protects tables of its own. */
    @Test
    void everybodyMayCallWhatProtectsTablesAndNothingElse() throws SQLException {
        FenceMigrations.migrate(dataSource);
        assertThat(column(
                        "SELECT DISTINCT p.proname FROM pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a"
                                + " WHERE p.pronamespace = 'fence'::regnamespace AND a.grantee = 0 ORDER BY 1"))
                .containsExactly(
                        "protect_rows_v1",
                        "protect_v1",
                        "protect_with",
                        "require_checked_row",
                        "require_checked_truncate",
                        "require_checked_v1",
                        "unprotect_v1");
        assertThat(column("SELECT c.relname FROM pg_class c, aclexplode(c.relacl) a"
                        + " WHERE c.relnamespace = 'fence'::regnamespace AND a.grantee = 0"))
                .isEmpty();
    }

    /** Functions and tables alike; the owner of everything is not in the file. */
    @Test
    void everyRoleMayDoWhatIsInTheFileAndNothingElse() throws SQLException, IOException {
        FenceMigrations.migrate(dataSource);
        assertThat(column(RIGHTS))
                .containsExactlyElementsOf(golden("rights.txt").lines().toList());
    }

    private void upgradeTo(int version) {
        FenceMigrations.configured(dataSource, MigrationSettings.DEFAULTS)
                .target(Integer.toString(version))
                .load()
                .migrate();
    }

    @Test
    void theLockKeyOfANameIsAsEverBefore() throws SQLException {
        FenceMigrations.migrate(dataSource);
        assertThat(column("SELECT fence.lock_key('ledger/EU') || ' ' || fence.lock_key('caf\u00e9')"))
                .containsExactly("-6158727623868592942 -5994940876557849129");
    }

    @Test
    void migratingAgainChangesNothing() throws SQLException {
        FenceMigrations.migrate(dataSource);
        FenceMigrations.migrate(dataSource);
        assertThat(column("SELECT version FROM fence.fence_schema_history WHERE version IS NOT NULL"))
                .containsExactly("1", "2", "3", "4", "5", "6");
    }

    @Test
    void theApplicationsOwnFlywayIsLeftAlone() throws SQLException {
        Flyway own = Flyway.configure()
                .dataSource(dataSource)
                .baselineOnMigrate(true)
                .baselineVersion("7")
                .load();
        own.baseline();
        FenceMigrations.migrate(dataSource);
        assertThat(column("SELECT version FROM public.flyway_schema_history")).containsExactly("7");
        own.validate();
    }

    @Test
    void severalProcessesMigrateAtOnce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            Callable<Boolean> migration = () -> {
                FenceMigrations.migrate(dataSource);
                return true;
            };
            for (Future<Boolean> done : threads.invokeAll(List.of(migration, migration, migration, migration))) {
                assertThat(done.get()).isTrue();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void schemaAndRolesAreConfigurable() throws SQLException {
        MigrationSettings settings = MigrationSettings.DEFAULTS
                .withSchema("guards")
                .withRoles("guards_owner", "guards_application", "guards_operator");
        FenceMigrations.migrate(dataSource, settings);
        assertThat(column("SELECT r.rolname FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner"
                        + " WHERE c.oid = 'guards.guard'::regclass"))
                .containsExactly("guards_owner");
        assertThat(column("SELECT count(*) FROM pg_namespace WHERE nspname = 'fence'"))
                .containsExactly("0");
        run(
                "BEGIN; SET LOCAL ROLE guards_application;"
                        + " SELECT guards.create_v1('r', 's', 'l', 1, gen_random_uuid(), '', 1000, guards.timeline_v1()); COMMIT");
        assertThat(column("SELECT resource FROM guards.guard")).containsExactly("r");
    }

    /** Managed services give no superuser: rights to create roles, and schemas in this database, are enough. */
    @Test
    void aUserWhoIsNoSuperuserMigrates() throws SQLException {
        String user = "deployer_" + database;
        String prefix = "x" + database.substring(database.length() - 20);
        run("CREATE ROLE " + user + " LOGIN CREATEROLE PASSWORD 'secret'; GRANT CREATE ON DATABASE " + database + " TO "
                + user);
        MigrationSettings settings = MigrationSettings.DEFAULTS.withRoles(prefix + "_o", prefix + "_a", prefix + "_p");
        DataSource deployer = server.dataSource(database, user, "secret");
        FenceMigrations.migrate(deployer, settings);
        FenceMigrations.migrate(deployer, settings);
        assertThat(column("SELECT DISTINCT r.rolname FROM pg_proc p JOIN pg_roles r ON r.oid = p.proowner"
                        + " WHERE p.pronamespace = 'fence'::regnamespace"))
                .containsExactly(prefix + "_o");
    }

    @Test
    void aFailedMigrationLeavesNothingBehind() throws SQLException {
        run("CREATE SCHEMA fence; CREATE TABLE fence.guard (other text)");
        assertThatThrownBy(() -> FenceMigrations.migrate(dataSource)).hasMessageContaining("fence");
        assertThat(column("SELECT count(*) FROM pg_proc WHERE pronamespace = 'fence'::regnamespace"))
                .containsExactly("0");
    }

    private List<String> column(String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            List<String> rows = new ArrayList<>();
            while (result.next()) {
                rows.add(result.getString(1));
            }
            return rows;
        }
    }

    private void run(String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String golden(String name) throws IOException {
        try (InputStream in = FenceMigrationsIT.class.getResourceAsStream(name)) {
            assertThat(in).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
