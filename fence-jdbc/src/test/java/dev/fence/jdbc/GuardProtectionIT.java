package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What nobody can do by ordinary means, not even a superuser; and what the roles can do. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class GuardProtectionIT {

    private static final String PROTECTED = "ZF013";
    private static final String NO_RIGHT = "42501";

    private static Ledger ledger;

    private final Guard sealed = Guard.of(Ledger.name(), 10);
    private final String thisGuard = " WHERE resource = '" + sealed.resource() + "'";
    private Connection superuser;

    @BeforeAll
    static void migrate() throws SQLException {
        ledger = Ledger.create();
    }

    @BeforeEach
    void connect() throws SQLException {
        superuser = ledger.dataSource.getConnection();
        sealed.create(superuser);
    }

    @AfterEach
    void disconnect() throws SQLException {
        superuser.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE FROM fence.guard",
                "UPDATE fence.guard SET token = token - 1",
                "UPDATE fence.guard SET holder = gen_random_uuid()",
                "UPDATE fence.guard SET source = 'other'",
                "UPDATE fence.guard SET lease_name = 'other'",
                "UPDATE fence.guard SET resource = resource || '2'",
                "UPDATE fence.guard SET sealed_at = sealed_at - interval '1 s'"
            })
    void aGuardIsNotRemovedLoweredOrBoundAnew(String sql) throws SQLException {
        GuardRulesIT.assertRefused(PROTECTED, () -> run(superuser, sql + thisGuard));
        run(superuser, "SET session_replication_role = replica");
        GuardRulesIT.assertRefused(PROTECTED, () -> run(superuser, sql + thisGuard));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TRUNCATE fence.guard",
                "TRUNCATE fence.seal_log",
                "TRUNCATE fence.creation_floor",
                "DELETE FROM fence.seal_log",
                "UPDATE fence.seal_log SET reason = 'other'",
                "UPDATE fence.seal_log SET reason = 'other' WHERE false"
            })
    void nothingIsTruncatedAndTheLogIsAppendOnly(String sql) throws SQLException {
        GuardRulesIT.assertRefused(PROTECTED, () -> run(superuser, sql));
        run(superuser, "SET session_replication_role = replica");
        GuardRulesIT.assertRefused(PROTECTED, () -> run(superuser, sql));
    }

    @Test
    void aCreationFloorNeverFalls() throws SQLException {
        Guard other = Guard.of(Ledger.name(), 3).withSource("floors");
        other.create(superuser);
        run(superuser, "SELECT fence.retire_v1('" + other.resource() + "', 'ann', 'test')");
        GuardRulesIT.assertRefused(PROTECTED, () -> run(superuser, "UPDATE fence.creation_floor SET token = 1"));
        GuardRulesIT.assertRefused(PROTECTED, () -> run(superuser, "DELETE FROM fence.creation_floor"));
    }

    /** The entry of one override is no permission for what comes later, or for another resource. */
    @Test
    void anOverrideIsForItsOwnTransactionAndResourceOnly() throws SQLException {
        Guard other = Guard.of(Ledger.name(), 3);
        other.create(superuser);
        superuser.setAutoCommit(false);
        run(superuser, "SELECT fence.override_v1('" + sealed.resource() + "', 's2', 'l2', 2, 'ann', 'restore')");
        GuardRulesIT.assertRefused(
                PROTECTED,
                () -> run(superuser, "UPDATE fence.guard SET token = 1 WHERE resource = '" + other.resource() + "'"));
        superuser.rollback();
        run(superuser, "SELECT fence.override_v1('" + sealed.resource() + "', 's2', 'l2', 2, 'ann', 'restore')");
        superuser.commit();
        GuardRulesIT.assertRefused(PROTECTED, () -> run(superuser, "UPDATE fence.guard SET token = 1" + thisGuard));
        superuser.rollback();
        GuardRulesIT.assertRefused(PROTECTED, () -> run(superuser, "DELETE FROM fence.guard" + thisGuard));
    }

    @Test
    void anOperatorSaysWhoAndWhy() {
        for (String who : new String[] {"'', 'why'", "'who', ''", "NULL, 'why'", "'who', NULL"}) {
            GuardRulesIT.assertRefused(
                    "23514", () -> run(superuser, "SELECT fence.retire_v1('" + sealed.resource() + "', " + who + ")"));
            GuardRulesIT.assertRefused(
                    "23514",
                    () -> run(
                            superuser,
                            "SELECT fence.override_v1('" + sealed.resource() + "', 's', 'l', 1, " + who + ")"));
        }
    }

    @Test
    void anApplicationCreatesSealsAndChecksAndNothingElse() throws SQLException {
        DataSource application = user("app", "fence_application");
        try (Connection connection = application.getConnection()) {
            Guard own = Guard.of(Ledger.name(), 1);
            assertThat(own.create(connection)).isEqualTo("t");
            assertThat(own.withToken(2).seal(connection)).isEqualTo("t");
            own.withToken(2).check(connection);
            for (String sql : new String[] {
                "SELECT * FROM fence.guard",
                "INSERT INTO fence.guard SELECT * FROM fence.guard",
                "UPDATE fence.guard SET token = token",
                "SELECT * FROM fence.seal_log",
                "SELECT * FROM fence.creation_floor",
                "CREATE TABLE fence.other (x int)",
                "SELECT fence.retire_v1('r', 'me', 'because')",
                "SELECT fence.override_v1('r', 's', 'l', 1, 'me', 'because')",
                "SELECT fence.lock_key('r')",
                "SELECT fence.take_lock('r', true, 1)",
                "SELECT fence.log_action('sealed', NULL, NULL, NULL)",
                "SET ROLE fence_owner"
            }) {
                GuardRulesIT.assertRefused(NO_RIGHT, () -> run(connection, sql));
            }
        }
        assertThat(JdbcFence.on(application)).isNotNull();
    }

    @Test
    void anOperatorLooksRetiresAndOverridesAndNothingElse() throws SQLException {
        try (Connection connection = user("op", "fence_operator").getConnection()) {
            run(connection, "SELECT * FROM fence.guard, fence.seal_log, fence.creation_floor");
            run(connection, "SELECT fence.override_v1('" + sealed.resource() + "', 's', 'l', 1, 'ann', 'because')");
            run(connection, "SELECT fence.retire_v1('" + sealed.resource() + "', 'ann', 'because')");
            GuardRulesIT.assertRefused(NO_RIGHT, () -> sealed.create(connection));
            GuardRulesIT.assertRefused(NO_RIGHT, () -> sealed.seal(connection));
            GuardRulesIT.assertRefused(NO_RIGHT, () -> run(connection, "DELETE FROM fence.guard"));
        }
    }

    @Test
    void strangersMayNothing() throws SQLException {
        try (Connection connection = user("stranger", "pg_monitor").getConnection()) {
            GuardRulesIT.assertRefused(NO_RIGHT, () -> sealed.check(connection));
        }
    }

    /** C27: somebody's trigger swallows the change of the guard, and the statement reports success. */
    @Test
    void aChangeOfTheGuardThatIsSwallowedIsNoSeal() throws SQLException {
        Ledger own = Ledger.create();
        Guard guard = Guard.of("r", 1);
        try (Connection connection = own.dataSource.getConnection()) {
            guard.create(connection);
            run(connection, "CREATE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'");
            run(
                    connection,
                    "CREATE TRIGGER a_swallow BEFORE UPDATE ON fence.guard FOR EACH ROW EXECUTE FUNCTION swallow()");
            GuardRulesIT.assertRefused(
                    SqlStates.CHANGE_SWALLOWED, () -> guard.withToken(2).seal(connection));
            run(connection, "DROP TRIGGER a_swallow ON fence.guard");
            run(connection, "ALTER TABLE fence.guard ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY");
            try (Connection application = user("rls", "fence_application").getConnection()) {
                assertThat(application).isNotNull();
            }
            GuardRulesIT.assertRefused(
                    SqlStates.GUARD_MISSING,
                    () -> run(
                            connection,
                            "BEGIN; SET LOCAL ROLE fence_application; SELECT fence.seal_v1('r', 'src', 'lease', 2, '"
                                    + guard.holder() + "', '', 1000, NULL)"));
        }
    }

    private static DataSource user(String prefix, String role) throws SQLException {
        String user = prefix + "_" + ledger.database;
        ledger.run("CREATE ROLE " + user + " LOGIN PASSWORD 'secret' IN ROLE " + role);
        return ledger.server.dataSource(ledger.database, user, "secret");
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
