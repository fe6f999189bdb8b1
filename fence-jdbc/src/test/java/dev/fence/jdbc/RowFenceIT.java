package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.fence.BusyException;
import dev.fence.FencedWriter;
import dev.fence.GuardMissingException;
import dev.fence.Lease;
import dev.fence.StaleTokenException;
import dev.fence.TokenSourceException;
import dev.fence.TokenSourceException.Problem;
import dev.fence.UnsupportedStoreException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that carry their token: as safe as a guard apart from them, at the price of the plain update. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RowFenceIT {

    private static final String ADD = "balance = balance + ?";
    private static final int REPEATS = 8; // past the driver's threshold for prepared statements
    private static final AtomicInteger IDS = new AtomicInteger();

    private static Ledger ledger;
    private static CountingProxy proxy;
    private static HikariDataSource poolOfOne;

    private final int id = IDS.incrementAndGet();
    private final String resource = "accounts/" + id;
    private RowFence fence;
    private Lease lease;

    @BeforeAll
    static void migrate() throws SQLException, IOException {
        ledger = Ledger.create();
        ledger.run("CREATE TABLE accounts (id int PRIMARY KEY, balance bigint NOT NULL DEFAULT 0,"
                + " fence_token bigint, fence_holder uuid, fence_timeline bigint)");
        proxy = new CountingProxy(ledger.server.port());
        poolOfOne = new HikariDataSource();
        poolOfOne.setDataSource(ledger.through(proxy.port()));
        poolOfOne.setMaximumPoolSize(1);
    }

    @AfterAll
    static void close() throws IOException {
        poolOfOne.close();
        proxy.close();
    }

    @BeforeEach
    void create() throws SQLException {
        ledger.run("INSERT INTO accounts (id) VALUES (" + id + ")");
        fence = RowFence.over(JdbcFence.on(poolOfOne, ledger.settings), RowTable.of("accounts", "id"));
        lease = ledger.lease(resource);
        assertThat(fence.create(lease, resource)).isTrue();
    }

    @Test
    void anUpdateIsOneRoundTripAndAWriteTwoBesidesItsOwn() throws SQLException {
        RowWriter writer = fence.seal(lease, resource);
        for (int i = 0; i < REPEATS; i++) {
            int before = proxy.roundTrips();
            writer.update(ADD, 1);
            assertThat(proxy.roundTrips() - before).as("update " + i).isEqualTo(1);
            before = proxy.roundTrips();
            writer.write(c -> Ledger.update(c, "UPDATE accounts SET balance = balance + 1 WHERE id = " + id));
            assertThat(proxy.roundTrips() - before).as("write " + i).isEqualTo(3);
        }
        assertThat(balance()).isEqualTo(2 * REPEATS);
    }

    @ParameterizedTest
    @EnumSource
    void aSealRefusesTheOldWriterAtEveryLevel(Isolation isolation) throws SQLException {
        RowFence at = RowFence.over(
                JdbcFence.on(poolOfOne, ledger.settings.withIsolation(isolation)), RowTable.of("accounts", "id"));
        RowWriter old = at.attach(lease.grant(), resource);
        old.update(ADD, 1);
        Lease next = ledger.lease(resource);
        RowWriter newest = fence.seal(next, resource);
        assertThatThrownBy(() -> old.update(ADD, 10))
                .isInstanceOfSatisfying(
                        StaleTokenException.class, e -> assertThat(e.newest()).isEqualTo(next.grant()));
        assertThatThrownBy(() -> old.write(c -> {
                    throw new AssertionError("ran");
                }))
                .isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> fence.seal(lease, resource)).isInstanceOf(StaleTokenException.class);
        newest.update(ADD, 100);
        assertThat(balance()).isEqualTo(101);
        assertThat(Ledger.ask(poolOfOne, "SELECT pg_current_xact_id_if_assigned() IS NULL"))
                .isEqualTo("t");
    }

    /** What the new holder reads after its seal no older holder can change: the seal waits for what is in flight. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aSealWaitsForAWriteInFlightAndRefusesAnUpdateThatWaitedForIt(boolean commits) throws Exception {
        JdbcFence direct = JdbcFence.on(ledger.dataSource, ledger.settings.withCheckWait(Duration.ofSeconds(20)));
        RowFence rows = RowFence.over(direct, RowTable.of("accounts", "id"));
        RowWriter old = rows.attach(lease.grant(), resource);
        Lease next = ledger.lease(resource);
        JdbcFence hasty = JdbcFence.on(ledger.dataSource, ledger.settings.withSealWait(Duration.ofMillis(200)));
        old.write(c -> {
            Ledger.update(c, "UPDATE accounts SET balance = balance + 1 WHERE id = " + id);
            assertThatThrownBy(() ->
                            RowFence.over(hasty, RowTable.of("accounts", "id")).seal(next, resource))
                    .isInstanceOf(BusyException.class);
        });
        try (Connection sealer = ledger.dataSource.getConnection()) {
            sealer.setAutoCommit(false);
            Ledger.update(
                    sealer,
                    "UPDATE accounts SET fence_token = fence_token + 1, fence_holder = gen_random_uuid() WHERE id = "
                            + id);
            Thread ender = new Thread(() -> {
                try {
                    Await.until(() -> ledger.ask("SELECT count(*) FROM pg_stat_activity WHERE datname ="
                                    + " current_database() AND wait_event_type = 'Lock'")
                            .equals("1"));
                    if (commits) {
                        sealer.commit();
                    } else {
                        sealer.rollback();
                    }
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            ender.start();
            if (commits) {
                assertThatThrownBy(() -> old.update(ADD, 10)).isInstanceOf(StaleTokenException.class);
            } else {
                old.update(ADD, 10);
            }
            ender.join();
        }
        assertThat(balance()).isEqualTo(commits ? 1 : 11);
    }

    @Test
    void aLockedRowBoundsAnUpdateAndTheBodysOwnWaitsStay() throws SQLException {
        RowFence hasty = RowFence.over(
                JdbcFence.on(ledger.dataSource, ledger.settings.withCheckWait(Duration.ofMillis(100))),
                RowTable.of("accounts", "id"));
        RowWriter writer = hasty.attach(lease.grant(), resource);
        try (Connection foreign = ledger.dataSource.getConnection()) {
            foreign.setAutoCommit(false);
            Ledger.ask(foreign, "SELECT 1 FROM accounts WHERE id = " + id + " FOR UPDATE");
            assertThatThrownBy(() -> writer.update(ADD, 1)).isInstanceOf(BusyException.class);
            assertThatThrownBy(() -> writer.write(c -> {})).isInstanceOf(BusyException.class);
            foreign.rollback();
        }
        writer.write(c -> assertThat(Ledger.ask(c, "SHOW lock_timeout")).isEqualTo("0"));
    }

    @Test
    void everyOtherDisagreementHasItsName() throws SQLException {
        RowWriter writer = fence.attach(lease.grant(), resource);
        set("fence_holder = gen_random_uuid()");
        assertProblem(writer, Problem.REUSED_TOKEN);
        set("fence_holder = '" + lease.grant().holder() + "', fence_timeline = 99");
        assertProblem(writer, Problem.HISTORY_LOST);
        set("fence_token = 0");
        assertThatThrownBy(() -> writer.update(ADD, 1)).isInstanceOf(GuardMissingException.class);
        RowWriter unsealed = fence.attach(ledger.lease(resource).grant(), resource);
        fence.seal(ledger.lease(resource), resource);
        set("fence_token = 1");
        assertProblem(unsealed, Problem.NOT_SEALED);
        ledger.run("DELETE FROM accounts WHERE id = " + id);
        assertThatThrownBy(() -> writer.update(ADD, 1)).isInstanceOf(GuardMissingException.class);
        assertThatThrownBy(() -> writer.write(c -> {})).isInstanceOf(GuardMissingException.class);
    }

    /** The guard apart from the row is who decides: a row that lost its copy gets it again, from the newest holder alone. */
    @Test
    void aRowThatWasMadeAnewIsSealedAgainByTheNewestHolderAlone() throws SQLException {
        Lease next = ledger.lease(resource);
        fence.seal(next, resource);
        ledger.run("DELETE FROM accounts WHERE id = " + id);
        assertThatThrownBy(() -> fence.seal(next, resource)).isInstanceOf(GuardMissingException.class);
        ledger.run("INSERT INTO accounts (id) VALUES (" + id + ")");
        RowWriter writer = fence.attach(next.grant(), resource);
        assertThatThrownBy(() -> writer.update(ADD, 1)).isInstanceOf(GuardMissingException.class);
        assertThatThrownBy(() -> fence.seal(lease, resource)).isInstanceOf(StaleTokenException.class);
        fence.seal(next, resource);
        writer.update(ADD, 1);
        assertThat(balance()).isEqualTo(1);
    }

    @Test
    void sealingAgainIsARead() throws SQLException {
        String version = "SELECT xmin || '/' || ctid FROM accounts WHERE id = " + id;
        String before = ledger.ask(version);
        fence.seal(lease, resource);
        assertThat(ledger.ask(version)).isEqualTo(before);
    }

    @Test
    void whatIsNoAssignmentOrTouchesTheFencesColumnsIsNotSent() {
        RowWriter writer = fence.attach(lease.grant(), resource);
        for (String bad : new String[] {"balance = 1; DELETE FROM accounts", "fence_token = 1", "balance = ?"}) {
            assertThatIllegalArgumentException().isThrownBy(() -> writer.update(bad));
        }
        for (String bad : new String[] {
            "balance = 1 WHERE true OR (1",
            "balance = 1 WHERE true",
            "balance = 1 /*",
            "balance = 1 WHERE true OR id IN (1"
        }) {
            assertThatThrownBy(() -> writer.update(bad)).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void aCommentAtTheEndHidesNothing() throws SQLException {
        RowWriter old = fence.attach(lease.grant(), resource);
        old.update("balance = 5 -- all of it");
        fence.seal(ledger.lease(resource), resource);
        assertThatThrownBy(() -> old.update("balance = 6 -- all of it")).isInstanceOf(StaleTokenException.class);
        assertThat(ledger.ask("SELECT count(*) FROM accounts WHERE balance = 5"))
                .isEqualTo("1");
    }

    @Test
    void twoSpellingsOfOneKeyAreNotTwoResources() {
        Lease other = ledger.lease("other");
        assertThatThrownBy(() -> fence.create(other, "accounts/0" + id))
                .isInstanceOf(UnsupportedStoreException.class)
                .hasMessageContaining("spell");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fence.attach(other.grant(), "invoices/1"))
                .withMessageContaining("accounts/<key>");
    }

    /** C27: an update that a trigger has swallowed is no success, and no refusal either. */
    @Test
    void anUpdateThatATriggerSwallowsIsNoSuccess() throws SQLException {
        ledger.run("CREATE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$");
        ledger.run("CREATE TRIGGER swallow BEFORE UPDATE ON accounts FOR EACH ROW WHEN (OLD.id = " + id
                + ") EXECUTE FUNCTION swallow()");
        assertThatThrownBy(() -> fence.attach(lease.grant(), resource).update(ADD, 1))
                .isInstanceOf(UnsupportedStoreException.class)
                .hasMessageContaining("swallow");
        Lease next = ledger.lease(resource);
        assertThatThrownBy(() -> fence.seal(next, resource)).isInstanceOf(UnsupportedStoreException.class);
        ledger.run("DROP TRIGGER swallow ON accounts");
        fence.seal(next, resource).update(ADD, 1);
    }

    @Test
    void aTableThatCannotCarryTokensIsRefusedAtTheStart() throws SQLException {
        assertRefused("absent", "no such table");
        ledger.run(
                "CREATE TABLE narrow (id int PRIMARY KEY, fence_token int, fence_holder uuid, fence_timeline bigint)");
        assertRefused("narrow", "fence_token is integer");
        ledger.run(
                "CREATE TABLE wordy (id int PRIMARY KEY, fence_token bigint, fence_holder text, fence_timeline bigint)");
        assertRefused("wordy", "fence_holder is text");
        ledger.run("CREATE TABLE manifold (id int, fence_token bigint, fence_holder uuid, fence_timeline bigint)");
        assertRefused("manifold", "unique index");
        ledger.run("CREATE VIEW looked AS SELECT * FROM accounts");
        assertRefused("looked", "neither an ordinary nor a partitioned table");
        ledger.run("CREATE TABLE ruled (LIKE accounts INCLUDING ALL)");
        ledger.run("CREATE RULE r AS ON UPDATE TO ruled DO INSTEAD NOTHING");
        assertRefused("ruled", "rule");
        assertThatIllegalArgumentException().isThrownBy(() -> RowTable.of("a; DROP TABLE b", "id"));
        assertThatIllegalArgumentException().isThrownBy(() -> RowTable.of("accounts", "fence_token"));
    }

    @Test
    void jooqWritesToRowsToo() throws SQLException {
        FencedWriter<DSLContext> writer = JooqFence.over(fence).seal(lease, resource);
        writer.write(dsl -> dsl.update(DSL.table("accounts"))
                .set(DSL.field("balance", Long.class), 7L)
                .where(DSL.field("id", Integer.class).eq(id))
                .execute());
        fence.seal(ledger.lease(resource), resource);
        assertThatThrownBy(() -> writer.write(dsl -> {})).isInstanceOf(StaleTokenException.class);
        assertThat(balance()).isEqualTo(7);
    }

    @Test
    void textAndUuidAreKeysToo() throws SQLException {
        for (String type : new String[] {"text", "uuid"}) {
            String table = "keyed_by_" + type;
            ledger.run("CREATE TABLE " + table + " (key " + type + " PRIMARY KEY, balance bigint DEFAULT 0,"
                    + " fence_token bigint, fence_holder uuid, fence_timeline bigint)");
            String key = UUID.randomUUID().toString();
            ledger.run("INSERT INTO " + table + " VALUES ('" + key + "')");
            RowFence rows = RowFence.over(ledger.fence(), RowTable.of(table, "key"));
            String name = table + "/" + key;
            rows.create(lease, name);
            rows.seal(lease, name).update(ADD, 3);
            assertThat(ledger.ask("SELECT balance FROM " + table)).isEqualTo("3");
        }
    }

    private void assertRefused(String table, String because) {
        assertThatThrownBy(() -> RowFence.over(ledger.fence(), RowTable.of(table, "id")))
                .isInstanceOf(UnsupportedStoreException.class)
                .hasMessageContaining(because);
    }

    private static void assertProblem(RowWriter writer, Problem problem) {
        assertThatThrownBy(() -> writer.update(ADD, 1))
                .asInstanceOf(InstanceOfAssertFactories.type(TokenSourceException.class))
                .returns(problem, TokenSourceException::problem);
        assertThatThrownBy(() -> writer.write(c -> {}))
                .asInstanceOf(InstanceOfAssertFactories.type(TokenSourceException.class))
                .returns(problem, TokenSourceException::problem);
    }

    private void set(String assignments) throws SQLException {
        ledger.run("UPDATE accounts SET " + assignments + " WHERE id = " + id);
    }

    private long balance() throws SQLException {
        return Long.parseLong(ledger.ask("SELECT balance FROM accounts WHERE id = " + id));
    }
}
