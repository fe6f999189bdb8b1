package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.Lease;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;
import org.postgresql.ds.PGSimpleDataSource;

/** A protected table refuses by itself whoever has not passed the check of its resource, whatever they write with. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ProtectedTableIT {

    private static final String UNFENCED = "ZF016";

    private static Ledger ledger;
    private static JdbcFence fence;

    private final String resource = Ledger.name();
    private Lease lease;

    @BeforeAll
    static void migrate() throws SQLException {
        ledger = Ledger.create();
        fence = ledger.fence();
    }

    @BeforeEach
    void protect() throws SQLException {
        lease = ledger.lease(resource);
        fence.create(lease, resource);
        ledger.run("DROP TABLE IF EXISTS item, parent, part, account CASCADE");
        ledger.run("CREATE TABLE parent (id int PRIMARY KEY)");
        ledger.run("CREATE TABLE item (id int PRIMARY KEY, text text,"
                + " parent int REFERENCES parent ON DELETE CASCADE ON UPDATE CASCADE)");
        ledger.run("INSERT INTO parent VALUES (1), (2)");
        ledger.run("INSERT INTO item VALUES (1, 'as it was', 1)");
        ledger.run("SELECT fence.protect_v1('item', '" + resource + "', false)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO item VALUES (2, 'unfenced', NULL)",
                "INSERT INTO item VALUES (1, 'unfenced', NULL) ON CONFLICT (id) DO UPDATE SET text = excluded.text",
                "UPDATE item SET text = 'unfenced'",
                "DELETE FROM item",
                "TRUNCATE item",
                "TRUNCATE parent CASCADE",
                "DELETE FROM parent WHERE id = 1",
                "UPDATE parent SET id = 3 WHERE id = 1",
                "WITH w AS (UPDATE item SET text = 'unfenced' RETURNING id) SELECT * FROM w",
                "SET session_replication_role = replica; UPDATE item SET text = 'unfenced'",
                "SELECT set_config('fence.passed', '', false); UPDATE item SET text = 'unfenced'"
            })
    void everyUnfencedChangeIsRefusedAndTheSameIsDoneByTheHolder(String sql) throws SQLException {
        GuardRulesIT.assertRefused(UNFENCED, () -> ledger.run(sql));
        assertThat(ledger.ask("SELECT string_agg(id || text || coalesce(parent::text, ''), ',') FROM item"))
                .isEqualTo("1as it was1");
        JdbcWriter writer = fence.seal(lease, resource);
        writer.write(c -> {
            try (Statement statement = c.createStatement()) {
                statement.execute(sql.replace("SET session", "SET LOCAL session")
                        .replace("SELECT set_config('fence.passed', '', false); ", ""));
            }
        });
    }

    @Test
    void mergeAndCopyAreRefusedToo() throws SQLException {
        if (Integer.parseInt(ledger.ask("SHOW server_version_num")) >= 150000) {
            GuardRulesIT.assertRefused(
                    UNFENCED,
                    () -> ledger.run(
                            "MERGE INTO item i USING parent p ON i.id = p.id"
                                    + " WHEN MATCHED THEN UPDATE SET text = 'unfenced' WHEN NOT MATCHED THEN INSERT VALUES (p.id)"));
        }
        try (Connection connection = ledger.dataSource.getConnection()) {
            CopyManager copy = new CopyManager(connection.unwrap(BaseConnection.class));
            GuardRulesIT.assertRefused(
                    UNFENCED, () -> copy.copyIn("COPY item (id) FROM STDIN", new StringReader("9\n")));
        }
        assertThat(ledger.ask("SELECT count(*) FROM item")).isEqualTo("1");
    }

    @ParameterizedTest
    @EnumSource
    void everyWayToWriteFencedPassesAndAStaleHolderDoesNot(Isolation isolation) throws SQLException {
        JdbcFence at = JdbcFence.on(ledger.dataSource, ledger.settings.withIsolation(isolation));
        JdbcWriter writer = at.attach(lease.grant(), resource);
        writer.write(c -> Ledger.update(c, "UPDATE item SET text = text || 1"));
        writer.execute("UPDATE item SET text = text || ?", "2");
        writer.executeBatch(
                "UPDATE item SET text = text || ?", List.<Object[]>of(new Object[] {"3"}, new Object[] {"4"}));
        try (Connection connection = ledger.dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try (JoinedTransaction joined = writer.join(connection)) {
                Ledger.update(connection, "UPDATE item SET text = text || 5");
                joined.beforeCommit();
                connection.commit();
            }
        }
        assertThat(ledger.ask("SELECT text FROM item")).isEqualTo("as it was12345");
        fence.seal(ledger.lease(resource), resource);
        assertThatThrownBy(() -> writer.execute("UPDATE item SET text = text || ?", "6"))
                .isInstanceOf(dev.fence.StaleTokenException.class);
    }

    /** psql and JPA know nothing of us: whoever calls the check by SQL has joined. */
    @Test
    void whoeverCallsTheCheckBySqlHasJoined() throws SQLException {
        Guard guard = new Guard(
                resource,
                lease.grant().source(),
                lease.name(),
                lease.token().value(),
                lease.grant().holder());
        try (Connection connection = ledger.dataSource.getConnection()) {
            connection.setAutoCommit(false);
            guard.check(connection);
            Ledger.update(connection, "UPDATE item SET text = 'joined'");
            connection.commit();
            // the note is this transaction's alone
            GuardRulesIT.assertRefused(UNFENCED, () -> Ledger.update(connection, "UPDATE item SET text = 'later'"));
            connection.rollback();
        }
        assertThat(ledger.ask("SELECT text FROM item")).isEqualTo("joined");
    }

    /** The broken design of a joined transaction: here each write that stays keeps the lock that it took for itself. */
    @Test
    void aRollbackToASavepointDropsTheLockOnlyWithTheWrite() throws SQLException {
        JdbcWriter writer = fence.attach(lease.grant(), resource);
        try (Connection connection = ledger.dataSource.getConnection()) {
            connection.setAutoCommit(false);
            Savepoint before = connection.setSavepoint();
            JoinedTransaction joined = writer.join(connection);
            Ledger.update(connection, "UPDATE item SET text = 'first'");
            connection.rollback(before);
            GuardRulesIT.assertRefused(UNFENCED, () -> Ledger.update(connection, "UPDATE item SET text = 'second'"));
            connection.rollback();
            joined.close();
        }
        assertThat(ledger.ask("SELECT text FROM item")).isEqualTo("as it was");
    }

    /** A note is no proof: it is checked in full, so a forger gains nothing but what the check would let pass anyway. */
    @Test
    void aForgedNoteIsRefused() throws SQLException {
        String note = "SELECT set_config('fence.passed', E'" + resource + "\\t"
                + lease.grant().source() + "\\t" + lease.name() + "\\t" + lease.token()
                + "\\t%s\\n', false); UPDATE item SET text = 'forged'";
        GuardRulesIT.assertRefused("ZF003", () -> ledger.run(note.formatted("00000000-0000-0000-0000-000000000000")));
        fence.seal(ledger.lease(resource), resource);
        GuardRulesIT.assertRefused(
                "ZF002", () -> ledger.run(note.formatted(lease.grant().holder())));
        assertThat(ledger.ask("SELECT text FROM item")).isEqualTo("as it was");
    }

    @Test
    void aUserWithoutAnyRightOfTheFenceIsRefusedForWantOfACheck() throws SQLException {
        String user = "clerk_" + ledger.database;
        ledger.run("CREATE ROLE " + user + " LOGIN PASSWORD 'secret'; GRANT ALL ON item TO " + user);
        PGSimpleDataSource clerk = ledger.server.dataSource(ledger.database, user, "secret");
        GuardRulesIT.assertRefused(UNFENCED, () -> Ledger.run(clerk, "UPDATE item SET text = 'unfenced'"));
        assertThatThrownBy(() -> Ledger.run(clerk, "SELECT fence.unprotect_v1('item')"))
                .hasMessageContaining("must be owner");
        ledger.run("REVOKE ALL ON item FROM " + user + "; DROP ROLE " + user);
    }

    @Test
    void partitionsAreProtectedWhicheverWayTheyAreWritten() throws SQLException {
        ledger.run("CREATE TABLE part (id int) PARTITION BY LIST (id)");
        ledger.run("CREATE TABLE part_1 PARTITION OF part FOR VALUES IN (1)");
        ledger.run("SELECT fence.protect_v1('part', '" + resource + "', false)");
        ledger.run("CREATE TABLE part_2 PARTITION OF part FOR VALUES IN (2)");
        ledger.run("CREATE TABLE part_3 (id int)");
        ledger.run("ALTER TABLE part ATTACH PARTITION part_3 FOR VALUES IN (3)");
        for (String sql : new String[] {
            "INSERT INTO part VALUES (1)",
            "INSERT INTO part_1 VALUES (1)",
            "INSERT INTO part_2 VALUES (2)",
            "INSERT INTO part_3 VALUES (3)",
            "SET session_replication_role = replica; INSERT INTO part_2 VALUES (2)",
            "TRUNCATE part",
            "TRUNCATE part_1"
        }) {
            GuardRulesIT.assertRefused(UNFENCED, () -> ledger.run(sql));
        }
        ledger.run("TRUNCATE part_2"); // made later: not before it is protected again
        ledger.run("SELECT fence.protect_v1('part', '" + resource + "', false)");
        GuardRulesIT.assertRefused(UNFENCED, () -> ledger.run("TRUNCATE part_2"));
        fence.seal(lease, resource).write(c -> Ledger.update(c, "INSERT INTO part VALUES (1), (2), (3)"));
        GuardRulesIT.assertRefused(UNFENCED, () -> ledger.run("UPDATE part SET id = 2 WHERE id = 1"));
    }

    @Test
    void rowsOfAnotherResourceThanTheOneCheckedAreRefused() throws SQLException {
        ledger.run("CREATE TABLE account (owner text, balance int)");
        ledger.run("INSERT INTO account VALUES ('one', 0), ('two', 0), (NULL, 0)");
        ledger.run("SELECT fence.protect_rows_v1('account', '" + resource + "/', 'owner', false)");
        Lease one = ledger.lease(resource + "/one");
        Lease two = ledger.lease(resource + "/two");
        fence.create(one, resource + "/one");
        fence.create(two, resource + "/two");
        JdbcWriter first = fence.seal(one, resource + "/one");
        JdbcWriter both = fence.together(first, fence.seal(two, resource + "/two"));
        String change = "UPDATE account SET balance = balance + 1 WHERE owner = ?";
        assertThat(first.execute(change, "one")).isEqualTo(1);
        GuardRulesIT.assertRefused(UNFENCED, () -> first.execute(change, "two"));
        GuardRulesIT.assertRefused(
                UNFENCED, () -> first.execute("UPDATE account SET owner = ? WHERE owner = 'one'", "two"));
        GuardRulesIT.assertRefused(
                UNFENCED, () -> first.execute("UPDATE account SET owner = ? WHERE owner = 'two'", "one"));
        GuardRulesIT.assertRefused(UNFENCED, () -> both.execute("UPDATE account SET balance = 9 WHERE owner IS NULL"));
        GuardRulesIT.assertRefused(UNFENCED, () -> both.write(c -> Ledger.update(c, "TRUNCATE account")));
        assertThat(both.execute("UPDATE account SET balance = balance + 1 WHERE owner = ? OR owner = ?", "one", "two"))
                .isEqualTo(2);
        assertThat(ledger.ask("SELECT string_agg(balance::text, ',' ORDER BY owner) FROM account"))
                .isEqualTo("2,1,0");
    }

    @Test
    void reportOnlyLetsPassAndSaysOnceWhatItWouldHaveRefused() throws SQLException {
        ledger.run("SELECT fence.protect_v1('item', '" + resource + "', true)");
        ledger.run("DELETE FROM fence.unfenced_write");
        ledger.run("UPDATE item SET text = 'unfenced'; UPDATE item SET text = 'unfenced again'");
        assertThat(ledger.ask("SELECT string_agg(table_name || ' ' || resource || ' ' || sqlstate, ',')"
                        + " FROM fence.unfenced_write"))
                .isEqualTo("public.item " + resource + " " + UNFENCED);
        fence.seal(lease, resource).execute("UPDATE item SET text = ?", "fenced");
        assertThat(ledger.ask("SELECT count(*) FROM fence.unfenced_write")).isEqualTo("1");
        assertThat(ledger.ask("SELECT text FROM item")).isEqualTo("fenced");
        ledger.run("SELECT fence.protect_v1('item', '" + resource + "', false)");
        GuardRulesIT.assertRefused(UNFENCED, () -> ledger.run("UPDATE item SET text = 'unfenced'"));
        ledger.run("SELECT fence.unprotect_v1('item'); UPDATE item SET text = 'free'");
    }

    /** A table that only reports must never hold anybody up: not even a sealer that stays. */
    @Test
    void reportOnlyDoesNotWaitForASealer() throws SQLException {
        ledger.run("SELECT fence.protect_v1('item', '" + resource + "', true)");
        Guard guard = new Guard(
                resource,
                lease.grant().source(),
                lease.name(),
                lease.token().value(),
                lease.grant().holder());
        try (Connection sealer = ledger.dataSource.getConnection();
                Connection writer = ledger.dataSource.getConnection()) {
            writer.setAutoCommit(false);
            sealer.setAutoCommit(false);
            Savepoint before = writer.setSavepoint();
            guard.check(writer);
            String passed = Ledger.ask(writer, "SELECT current_setting('fence.passed')");
            writer.rollback(before);
            guard.withToken(guard.token() + 1).seal(sealer);
            Ledger.ask(writer, "SELECT set_config('fence.passed', '" + passed + "', true)");
            Ledger.ask(writer, "SELECT set_config('statement_timeout', '10s', true)");
            Ledger.update(writer, "UPDATE item SET text = 'not held up'");
            writer.commit();
            sealer.rollback();
        }
        assertThat(ledger.ask("SELECT text FROM item")).isEqualTo("not held up");
        assertThat(ledger.ask("SELECT max(sqlstate) FROM fence.unfenced_write WHERE resource = '" + resource + "'"))
                .isEqualTo("55P03");
    }

    @Test
    void whatCannotBeProtectedIsSaid() {
        assertThatThrownBy(() -> ledger.run("SELECT fence.protect_v1('pg_tables', 'r', false)"))
                .hasMessageContaining("neither an ordinary nor a partitioned table");
        assertThatThrownBy(() -> ledger.run("SELECT fence.protect_v1('item', '', false)"))
                .hasMessageContaining("no name of a resource");
        assertThatThrownBy(() -> ledger.run("SELECT fence.protect_rows_v1('item', '', 'nothing', false)"))
                .hasMessageContaining("missing");
        assertThatThrownBy(() -> ledger.run("SELECT fence.protect_rows_v1('item', '', 'ctid', false)"))
                .hasMessageContaining("ctid");
    }
}
