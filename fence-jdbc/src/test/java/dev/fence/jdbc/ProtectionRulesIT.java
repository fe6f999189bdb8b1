package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.Lease;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The finer rules of protected tables, as the database has them. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ProtectionRulesIT {

    private static final String UNFENCED = "ZF016";

    private Ledger ledger;
    private JdbcFence fence;

    @BeforeEach
    void migrate() throws SQLException {
        ledger = Ledger.create();
        fence = ledger.fence();
        ledger.run("CREATE TABLE item (id int)");
        ledger.run("CREATE TABLE account (owner text)");
    }

    private JdbcWriter sealed(String resource) {
        Lease lease = ledger.lease(resource);
        fence.create(lease, resource);
        return fence.seal(lease, resource);
    }

    /** Both ways: the newest note stands first, and the table's own is behind one of a name that begins or ends alike. */
    @ParameterizedTest
    @ValueSource(strings = {"r/2", "2/r"})
    void aNoteIsFoundByTheWholeName(String other) throws SQLException {
        ledger.run("SELECT fence.protect_v1('item', 'r', false)");
        JdbcWriter own = sealed("r");
        JdbcWriter others = sealed(other);
        try (Connection connection = ledger.dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try (JoinedTransaction one = own.join(connection);
                    JoinedTransaction two = others.join(connection)) {
                assertThat(Ledger.update(connection, "INSERT INTO item VALUES (1)"))
                        .isEqualTo(1);
                one.beforeCommit();
                two.beforeCommit();
                connection.commit();
            }
        }
    }

    @Test
    void aWriteWaitsForASealerWithABound() throws SQLException {
        ledger.run("SELECT fence.protect_v1('item', 'r', false)");
        Guard guard = Guard.of("r", 1);
        try (Connection writer = ledger.dataSource.getConnection();
                Connection sealer = ledger.dataSource.getConnection()) {
            guard.create(writer);
            String passed = passed(writer, guard);
            sealer.setAutoCommit(false);
            guard.withToken(2).seal(sealer, 30_000, false); // or it would be cut off before

            Ledger.ask(writer, "SELECT set_config('statement_timeout', '20s', false)");
            writer.setAutoCommit(false);
            Ledger.ask(writer, noted(passed));
            GuardRulesIT.assertRefused("55P03", () -> Ledger.update(writer, "INSERT INTO item VALUES (1)"));
            writer.rollback();
            sealer.rollback();
        }
    }

    @Test
    void aTableThatOnlyReportsDoesSoForEachTableAndReason() throws SQLException {
        ledger.run("SELECT fence.protect_v1('item', 'r', true), fence.protect_v1('account', 'r', true)");
        Guard guard = Guard.of("r", 1);
        try (Connection connection = ledger.dataSource.getConnection()) {
            guard.create(connection);
            String passed = passed(connection, guard);
            guard.withToken(2).seal(connection);
            Ledger.run(
                    ledger.dataSource,
                    "INSERT INTO item VALUES (1), (2); INSERT INTO account VALUES ('a'); " + noted(passed)
                            + "; INSERT INTO item VALUES (3), (4)");
        }

        assertThat(ledger.ask("SELECT string_agg(table_name || ' ' || sqlstate, ',' ORDER BY id)"
                        + " FROM fence.unfenced_write"))
                .isEqualTo(
                        "public.item " + UNFENCED + ",public.account " + UNFENCED + ",public.item " + SqlStates.STALE);
    }

    @Test
    void aRowNeedsTheResourceThatItBelongsTo() throws SQLException {
        ledger.run("INSERT INTO account VALUES ('one'), ('two')");
        ledger.run("SELECT fence.protect_rows_v1('account', 'a/', 'owner', false)");
        JdbcWriter one = sealed("a/one");
        for (String change : new String[] {
            "INSERT INTO account VALUES (NULL)",
            "INSERT INTO account VALUES ('two')",
            "DELETE FROM account WHERE owner = 'two'",
            "UPDATE account SET owner = 'one' WHERE owner = 'two'",
            "UPDATE account SET owner = 'two' WHERE owner = 'one'",
            "UPDATE account SET owner = NULL WHERE owner = 'one'"
        }) {
            GuardRulesIT.assertRefused(UNFENCED, () -> one.execute(change));
        }
        assertThat(one.execute("INSERT INTO account VALUES ('one')")).isEqualTo(1);
        assertThat(one.execute("DELETE FROM account WHERE owner = 'one'")).isEqualTo(2);
    }

    /** Who holds a resource that has the name of the prefix holds none of the rows. */
    @Test
    void nobodyTruncatesWhatBelongsToSeveral() throws SQLException {
        ledger.run("SELECT fence.protect_rows_v1('account', 'a/', 'owner', false)");
        JdbcWriter ofThePrefix = sealed("a/");

        GuardRulesIT.assertRefused(UNFENCED, () -> ofThePrefix.write(c -> Ledger.update(c, "TRUNCATE account")));
    }

    @Test
    void aReplicaTruncatesNothingAndWhatIsProtectedNoMoreIsFree() throws SQLException {
        ledger.run("SELECT fence.protect_v1('item', 'r', false)");
        GuardRulesIT.assertRefused(
                UNFENCED, () -> ledger.run("SET LOCAL session_replication_role = replica; TRUNCATE item"));

        ledger.run("SELECT fence.unprotect_v1('item')");
        ledger.run("INSERT INTO item VALUES (1); TRUNCATE item");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "protect_v1('item', NULL, false)",
                "protect_v1('item', '', false)",
                "protect_v1('item', repeat('é', 128), false)",
                "protect_v1('item', E'r\\ns', false)",
                "protect_rows_v1('item', '', 'nothing', false)",
                "protect_rows_v1('item', '', 'share', false)"
            })
    void whatNamesNoResourceIsRefused(String call) throws SQLException {
        ledger.run("ALTER TABLE item ADD share numeric");

        GuardRulesIT.assertRefused("22023", () -> ledger.run("SELECT fence." + call));
    }

    private static String passed(Connection connection, Guard guard) throws SQLException {
        connection.setAutoCommit(false);
        guard.check(connection);
        String passed = Ledger.ask(connection, "SELECT current_setting('fence.passed')");
        connection.rollback();
        connection.setAutoCommit(true);
        return passed;
    }

    private static String noted(String passed) {
        return "SELECT set_config('fence.passed', '" + passed + "', true)";
    }
}
