package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each rule of the guard has a test here that fails when the rule is taken out of the SQL. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class GuardRulesIT {

    private static Ledger ledger;

    private final Guard sealed = Guard.of(Ledger.name(), 10);
    private final String thisGuard = " WHERE resource = '" + sealed.resource() + "'";
    private Connection connection;

    @BeforeAll
    static void migrate() throws SQLException {
        ledger = Ledger.create();
    }

    @BeforeEach
    void connect() throws SQLException {
        connection = ledger.dataSource.getConnection();
        sealed.create(connection);
    }

    @AfterEach
    void disconnect() throws SQLException {
        connection.close();
    }

    @Test
    void checkAcceptsTheGrantThatTheGuardCarries() throws SQLException {
        sealed.check(connection);
    }

    @Test
    void checkRefusesALowerToken() {
        assertRefused(SqlStates.STALE, () -> sealed.withToken(9).check(connection));
    }

    @Test
    void checkRefusesAHigherTokenThatHasNotSealed() {
        assertRefused(SqlStates.NOT_SEALED, () -> sealed.withToken(11).check(connection));
    }

    @Test
    void checkRefusesAnotherHolderOfTheSameToken() {
        assertRefused(
                SqlStates.REUSED_TOKEN,
                () -> sealed.withHolder(UUID.randomUUID()).check(connection));
    }

    @Test
    void checkRefusesAnotherLeaseName() {
        assertRefused(
                SqlStates.OTHER_LEASE_NAME, () -> sealed.withLeaseName("other").check(connection));
    }

    @Test
    void checkRefusesAnotherSource() {
        assertRefused(SqlStates.FOREIGN_SOURCE, () -> sealed.withSource("other").check(connection));
    }

    @Test
    void checkRefusesAnotherTimeline() throws SQLException {
        ledger.run("UPDATE fence.guard SET timeline = timeline + 1" + thisGuard);
        assertRefused(SqlStates.HISTORY_LOST, () -> sealed.check(connection));
    }

    @Test
    void checkRefusesAMissingGuard() {
        assertRefused(SqlStates.GUARD_MISSING, () -> Guard.of(Ledger.name(), 1).check(connection));
    }

    /** What it read before the seal, the old holder may have changed since. */
    @Test
    void checkRefusesATransactionThatBeganBeforeTheSeal() throws SQLException {
        Guard next = Guard.of(sealed.resource(), 11);
        connection.setAutoCommit(false);
        Ledger.ask(connection, "SELECT count(*) FROM entry");
        try (Connection other = ledger.dataSource.getConnection()) {
            next.seal(other);
        }
        assertRefused(SqlStates.BEGAN_BEFORE_SEAL, () -> next.check(connection));
    }

    /** The snapshot is older than the lock: a plain read would still show the old holder its own grant. */
    @Test
    void checkSeesANewerSealAlsoFromAnOlderSnapshot() throws SQLException {
        for (int level : new int[] {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE}) {
            Guard old = Guard.of(Ledger.name(), 10);
            old.create(connection);
            connection.setTransactionIsolation(level);
            connection.setAutoCommit(false);
            Ledger.ask(connection, "SELECT count(*) FROM entry");
            try (Connection other = ledger.dataSource.getConnection()) {
                Guard.of(old.resource(), 11).seal(other);
            }
            assertRefused("40001", () -> old.check(connection));
            connection.rollback();
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            connection.setAutoCommit(true);
        }
    }

    @Test
    void checkWaitsForAClockThatWasSteppedBackBehindTheSeal() throws SQLException {
        ledger.run("UPDATE fence.guard SET sealed_at = now() + interval '1 hour'" + thisGuard);
        assertRefused(SqlStates.CLOCK_BEHIND_SEAL, () -> sealed.check(connection));
    }

    @Test
    void checkRefusesWhateverIsNull() {
        for (int i = 0; i < 5; i++) {
            String[] grant = {"'" + sealed.resource() + "'", "'src'", "'lease'", "10", "'" + sealed.holder() + "'"};
            grant[i] = "NULL";
            assertRefused(
                    "ZF0..",
                    () -> Ledger.ask(
                            connection, "SELECT fence.check_v1(" + String.join(", ", grant) + ", 1000, NULL)"));
        }
    }

    @Test
    void noBoundOfZeroOrLessIsTaken() {
        assertRefused("22023", () -> sealed.withToken(11).seal(connection, 0, false));
        assertRefused("22023", () -> Ledger.ask(connection, "SELECT fence.tighten('lock_timeout', NULL)"));
    }

    @Test
    void sealRefusesALowerToken() {
        assertRefused(SqlStates.STALE, () -> sealed.withToken(9).seal(connection));
    }

    @Test
    void sealRefusesAnotherHolderOfTheSameToken() {
        assertRefused(
                SqlStates.REUSED_TOKEN,
                () -> sealed.withHolder(UUID.randomUUID()).seal(connection));
    }

    @Test
    void sealRefusesAnotherLeaseName() {
        assertRefused(
                SqlStates.OTHER_LEASE_NAME,
                () -> sealed.withToken(11).withLeaseName("other").seal(connection));
    }

    @Test
    void sealRefusesAnotherSource() {
        assertRefused(
                SqlStates.FOREIGN_SOURCE,
                () -> sealed.withToken(11).withSource("other").seal(connection));
    }

    @Test
    void sealRefusesAMissingGuard() {
        assertRefused(SqlStates.GUARD_MISSING, () -> Guard.of(Ledger.name(), 1).seal(connection));
    }

    @Test
    void sealOnAnotherTimelineNeedsAConfirmedHolder() throws SQLException {
        ledger.run("UPDATE fence.guard SET timeline = timeline + 1" + thisGuard);
        assertRefused(SqlStates.HISTORY_LOST, () -> sealed.seal(connection, 1000, false));
        assertThat(sealed.seal(connection, 1000, true)).isEqualTo("t");
        sealed.check(connection);
        assertThat(lastAction()).isEqualTo("resealed");
    }

    /** Confirmed, then superseded, then a failover that forgot the successor: the confirmation is older than the history. */
    @Test
    void aConfirmationOnAnotherTimelineNeitherSealsNorCreates() throws SQLException {
        ledger.run("UPDATE fence.guard SET timeline = timeline - 1" + thisGuard);
        assertRefused(SqlStates.HISTORY_LOST, () -> sealed.seal(connection, 1000, "fence.timeline_v1() - 1"));

        Guard fresh = Guard.of(Ledger.name(), 1);
        assertRefused(SqlStates.HISTORY_LOST, () -> fresh.createConfirmedOn(connection, "fence.timeline_v1() - 1"));
        assertRefused(SqlStates.HISTORY_LOST, () -> fresh.createConfirmedOn(connection, "NULL"));
        assertThat(fresh.createConfirmedOn(connection, "fence.timeline_v1()")).isEqualTo("t");
    }

    @Test
    void sealIsRefusedAboveReadCommitted() throws SQLException {
        connection.setAutoCommit(false);
        for (String level : new String[] {"REPEATABLE READ", "SERIALIZABLE"}) {
            assertRefused(SqlStates.WRONG_ISOLATION, () -> {
                run("SET TRANSACTION ISOLATION LEVEL " + level);
                sealed.withToken(11).seal(connection);
            });
            connection.rollback();
        }
    }

    @Test
    void nothingIsCheckedOrSealedInAReadOnlyTransaction() throws SQLException {
        connection.setReadOnly(true);
        connection.setAutoCommit(false);
        assertRefused(SqlStates.NOT_WRITABLE, () -> sealed.check(connection));
        connection.rollback();
        assertRefused(SqlStates.NOT_WRITABLE, () -> sealed.withToken(11).seal(connection));
    }

    @Test
    void everySealIsLogged() throws SQLException {
        sealed.seal(connection);
        assertThat(lastAction()).isEqualTo("created");
        sealed.withToken(11).withHolder(UUID.randomUUID()).seal(connection);
        assertThat(lastAction()).isEqualTo("sealed");
    }

    /** An asynchronous seal is acknowledged and can be lost in a crash: the old holder would pass again. */
    @Test
    void aSealIsDurableWhereCommitsAreAsynchronous() throws SQLException {
        connection.setAutoCommit(false);
        run("SET LOCAL synchronous_commit = off");
        sealed.withToken(11).withHolder(UUID.randomUUID()).seal(connection);
        assertThat(Ledger.ask(connection, "SHOW synchronous_commit")).isEqualTo("on");
        connection.commit();
    }

    @Test
    void timeoutsAreTightenedForTheTransactionOnlyAndNeverLoosened() throws SQLException {
        connection.setAutoCommit(false);
        run("SET LOCAL idle_in_transaction_session_timeout = '2s'");
        sealed.check(connection);
        assertThat(Ledger.ask(connection, "SHOW idle_in_transaction_session_timeout"))
                .isEqualTo("2s");
        assertThat(Ledger.ask(connection, "SELECT coalesce(current_setting('transaction_timeout', true), '10s')"))
                .isEqualTo("10s");
        assertThat(Ledger.ask(connection, "SHOW lock_timeout")).isEqualTo("0");
        connection.commit();
        assertThat(Ledger.ask(connection, "SHOW idle_in_transaction_session_timeout"))
                .isEqualTo("0");
    }

    @Test
    void aRetiredGuardLeavesItsTokenAsTheFloor() throws SQLException {
        Guard own = Guard.of(Ledger.name(), 10).withSource("floors");
        own.create(connection);
        Ledger.ask(connection, "SELECT fence.retire_v1('" + own.resource() + "', 'ann', 'moved')");
        assertRefused(SqlStates.BELOW_CREATION_FLOOR, () -> own.create(connection));
        assertThat(own.withToken(11).create(connection)).isEqualTo("t");
    }

    @Test
    void createRefusesAGuardOfAnotherSourceOrLeaseName() {
        assertRefused(SqlStates.FOREIGN_SOURCE, () -> sealed.withSource("other").create(connection));
        assertRefused(
                SqlStates.OTHER_LEASE_NAME, () -> sealed.withLeaseName("other").create(connection));
    }

    @Test
    void afterAnOverrideNoPresentGrantPasses() throws SQLException {
        Ledger.ask(
                connection,
                "SELECT fence.override_v1('" + sealed.resource() + "', 'src', 'lease', 5, 'ann', 'restore')");
        assertRefused(SqlStates.NOT_SEALED, () -> sealed.check(connection));
        assertRefused(SqlStates.REUSED_TOKEN, () -> sealed.withToken(5).check(connection));
        assertThat(sealed.withToken(6).seal(connection)).isEqualTo("t");
    }

    private String lastAction() throws SQLException {
        return ledger.ask("SELECT action FROM fence.seal_log" + thisGuard + " ORDER BY id DESC LIMIT 1");
    }

    private void run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static void assertRefused(String state, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).matches(state));
    }
}
