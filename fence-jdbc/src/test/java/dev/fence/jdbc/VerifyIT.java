package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariDataSource;
import dev.fence.Lease;
import dev.fence.OutcomeUnknownException;
import dev.fence.WriteId;
import dev.fence.WriteOutcome;
import dev.fence.fixtures.Direction;
import dev.fence.fixtures.TcpProxy;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An unknown outcome is told later, by whoever asks: applied, refused, or cannot tell; never a lie. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class VerifyIT {

    private static final String INSERT = "INSERT INTO entry (text) VALUES (?)";
    /** How long an answer is waited for that a test keeps back. */
    private static final Duration SHORT = Duration.ofMillis(300);
    /** How long a transaction may last: longer than a busy machine takes for one that nobody keeps back. */
    private static final Duration LONGEST = Duration.ofSeconds(2);

    private static Ledger ledger;
    private static CuttingProxy cutting;
    private static TcpProxy network;
    private static JdbcFence direct;
    private static JdbcFenceSettings settings;

    private final String resource = Ledger.name();
    private Lease lease;

    @BeforeAll
    static void migrate() throws SQLException, IOException {
        ledger = Ledger.create();
        cutting = new CuttingProxy(ledger.server.port());
        network = TcpProxy.to("127.0.0.1", ledger.server.port());
        direct = ledger.fence();
        settings = ledger.settings
                .withCommitWait(SHORT)
                .withCheckWait(SHORT)
                .withVerification(Verification.STATEMENTS_TOO);
    }

    @AfterAll
    static void close() throws IOException {
        cutting.close();
        network.close();
    }

    @BeforeEach
    void create() {
        cutting.atTheNextCommit(CuttingProxy.Fault.NONE);
        network.pass();
        lease = ledger.lease(resource);
        direct.create(lease, resource);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void aTransactionIsToldByItsNumber(CuttingProxy.Fault fault) throws SQLException {
        JdbcWriter writer = sealed(JdbcFence.on(ledger.through(cutting.port()), settings));
        WriteId id = unknown(() -> writer.write(c -> {
            Ledger.insert(c, resource);
            cutting.atTheNextCommit(fault);
        }));
        boolean committed = fault != CuttingProxy.Fault.LOSE_THE_COMMIT_AND_CUT;
        assertThat(direct.verify(resource, id)).isEqualTo(committed ? WriteOutcome.APPLIED : WriteOutcome.REFUSED);
        assertThat(ledger.count(resource)).isEqualTo(committed ? 1 : 0);
        direct.seal(ledger.lease(resource), resource);
        assertThat(direct.verify(resource, id))
                .isEqualTo(committed ? WriteOutcome.APPLIED_THEN_SUPERSEDED : WriteOutcome.REFUSED);
    }

    /** The client gave up, its COMMIT is still on the way: it may not be called refused while it can arrive. */
    @Test
    void aCommitThatIsStillOnItsWayIsUnknownUntilItArrives() throws SQLException {
        JdbcWriter writer = sealed(JdbcFence.on(ledger.through(network.port()), settings));
        WriteId id = unknown(() -> writer.write(c -> {
            Ledger.insert(c, resource);
            network.hold(Direction.TO_SERVER);
        }));
        JdbcFence impatient = JdbcFence.on(ledger.dataSource, settings.withCommitWait(Duration.ofSeconds(1)));
        assertThat(impatient.verify(resource, id)).isEqualTo(WriteOutcome.UNKNOWN);
        network.pass(Direction.TO_SERVER);
        assertThat(direct.verify(resource, id)).isEqualTo(WriteOutcome.APPLIED);
        assertThat(ledger.count(resource)).isEqualTo(1);
    }

    /** Nobody ever says anything on the link again: the server's own bound ends the transaction, and then it is refused. */
    @Test
    void aCommitOnADeadLinkIsRefusedOnceTheServerHasCutItOff() throws SQLException {
        JdbcWriter writer =
                sealed(JdbcFence.on(ledger.through(network.port()), settings.withLongestTransaction(LONGEST)));
        WriteId id = unknown(() -> writer.write(c -> {
            Ledger.insert(c, resource);
            network.drop(Direction.TO_SERVER);
            network.drop(Direction.TO_CLIENT);
        }));
        assertThat(direct.verify(resource, id)).isEqualTo(WriteOutcome.REFUSED);
        assertThat(ledger.count(resource)).isZero();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void aRecordedStatementIsToldByItsRow(CuttingProxy.Fault fault) throws SQLException {
        JdbcWriter writer =
                sealed(JdbcFence.on(ledger.through(cutting.port()), settings.withLongestTransaction(LONGEST)));
        cutting.atTheNext("INSERT INTO entry", fault);
        WriteId id = unknown(() -> writer.execute(INSERT, resource));
        boolean committed = fault != CuttingProxy.Fault.LOSE_THE_COMMIT_AND_CUT;
        Await.until(() -> ledger.count(resource) == (committed ? 1 : 0));
        assertThat(direct.verify(resource, id)).isEqualTo(committed ? WriteOutcome.APPLIED : WriteOutcome.REFUSED);
    }

    /** Nothing at the server knows of it yet, so nothing but the verification itself can keep it from taking effect. */
    @Test
    void aStatementThatIsStillOnItsWayIsKeptOutByTheAnswer() throws SQLException {
        WriteId id;
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setDataSource(ledger.through(network.port()));
            pool.setMaximumPoolSize(1);
            pool.setConnectionTimeout(1000);
            JdbcWriter writer = sealed(JdbcFence.on(pool, settings.withLongestTransaction(LONGEST)));
            pool.getConnection().close();
            network.hold(Direction.TO_SERVER); // the connection is there already
            id = unknown(() -> writer.execute(INSERT, resource));
        }
        assertThat(direct.verify(resource, id)).isEqualTo(WriteOutcome.REFUSED);
        String errors = "SELECT xact_rollback FROM pg_stat_database WHERE datname = current_database()";
        long before = Long.parseLong(ledger.ask(errors));
        network.pass(Direction.TO_SERVER);
        Await.until(() -> Long.parseLong(ledger.ask(errors)) > before);
        assertThat(ledger.count(resource)).isZero();
        assertThat(direct.verify(resource, id)).isEqualTo(WriteOutcome.REFUSED);
    }

    @Test
    void aStatementThatStillRunsIsUnknownAfterTheWait() throws Exception {
        try (Connection slow = ledger.dataSource.getConnection()) {
            slow.setAutoCommit(false);
            Trace.Row trace = Trace.Row.make();
            Ledger.ask(slow, "SELECT fence.record_v1('" + trace.id() + "', " + trace.madeAtMicros() + ")");
            WriteId id = trace.under(lease.token());
            JdbcFence impatient = JdbcFence.on(ledger.dataSource, settings.withCommitWait(Duration.ofSeconds(1)));
            assertThat(impatient.verify(resource, id)).isEqualTo(WriteOutcome.UNKNOWN);
            slow.commit();
            assertThat(direct.verify(resource, id)).isEqualTo(WriteOutcome.APPLIED);
        }
    }

    @Test
    void severalResourcesShareOneRecord() throws SQLException {
        String other = resource + "/2";
        direct.create(lease, other);
        JdbcFence through = JdbcFence.on(ledger.through(cutting.port()), settings.withLongestTransaction(LONGEST));
        direct.seal(lease, other);
        JdbcWriter both = through.together(sealed(through), through.attach(lease.grant(), other));
        assertThat(both.execute(INSERT, resource)).isEqualTo(1);
        cutting.atTheNext("INSERT INTO entry", CuttingProxy.Fault.LOSE_THE_ANSWER_AND_CUT);
        WriteId id = unknown(() -> both.execute(INSERT, resource));
        assertThat(direct.verify(other, id)).isEqualTo(WriteOutcome.APPLIED);
        assertThat(ledger.count(resource)).isEqualTo(2);
    }

    @Test
    void aJoinedTransactionIsToldByItsNumber() throws SQLException {
        JdbcWriter writer = direct.attach(lease.grant(), resource);
        try (Connection connection = ledger.dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try (JoinedTransaction joined = writer.join(connection)) {
                assertThat(joined.writeId()).isEmpty();
                Ledger.insert(connection, resource);
                joined.beforeCommit();
                WriteId id = joined.writeId().orElseThrow();
                JdbcFence impatient = JdbcFence.on(ledger.dataSource, settings.withCommitWait(Duration.ofSeconds(1)));
                assertThat(impatient.verify(resource, id)).isEqualTo(WriteOutcome.UNKNOWN);
                connection.commit();
                assertThat(direct.verify(resource, id)).isEqualTo(WriteOutcome.APPLIED);
                assertThat(joined.commitFailed(new SQLException("cut", "08006")))
                        .isInstanceOfSatisfying(
                                OutcomeUnknownException.class,
                                e -> assertThat(e.writeId()).contains(id));
            }
        }
    }

    /** Prepared, then forgotten by everybody: it can still commit. */
    @Test
    void aPreparedTransactionIsUnknown() throws SQLException {
        try (Connection connection = ledger.dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            try (JoinedTransaction joined =
                    direct.attach(lease.grant(), resource).join(connection)) {
                joined.beforeCommit();
                WriteId id = joined.writeId().orElseThrow();
                statement.execute("PREPARE TRANSACTION '" + resource + "'");
                connection.setAutoCommit(true);
                JdbcFence impatient = JdbcFence.on(ledger.dataSource, settings.withCommitWait(Duration.ofSeconds(1)));
                assertThat(impatient.verify(resource, id)).isEqualTo(WriteOutcome.UNKNOWN);
                statement.execute("ROLLBACK PREPARED '" + resource + "'");
                assertThat(direct.verify(resource, id)).isEqualTo(WriteOutcome.REFUSED);
            }
        }
    }

    @Test
    void anotherLifeAnotherHistoryOrANumberOfTheFutureIsUnknown() throws SQLException {
        long timeline = Long.parseLong(ledger.ask("SELECT fence.timeline_v1()"));
        long life = Long.parseLong(ledger.ask("SELECT fence.incarnation_v1()"));
        long number = Long.parseLong(ledger.ask("SELECT pg_current_xact_id()::text"));
        assertThat(outcome(timeline, number, life)).isEqualTo(WriteOutcome.APPLIED);
        assertThat(outcome(timeline + 1, number, life)).isEqualTo(WriteOutcome.UNKNOWN);
        assertThat(outcome(timeline, number, 1)).isEqualTo(WriteOutcome.UNKNOWN);
        assertThat(outcome(timeline, number + 1_000_000, life)).isEqualTo(WriteOutcome.UNKNOWN);
    }

    @Test
    void recordsThatWerePrunedAreUnknownAndNotRefused() throws SQLException {
        long threeDaysAgo = Trace.Row.make().madeAtMicros() - Duration.ofDays(3).toNanos() / 1000;
        WriteId old = new Trace.Row(Trace.Row.make().id(), threeDaysAgo).under(lease.token());
        assertThat(direct.verify(resource, old)).isEqualTo(WriteOutcome.REFUSED);
        assertThat(ledger.ask("SELECT fence.prune_writes_v1('2 days')")).isEqualTo("1");
        assertThat(direct.verify(resource, old)).isEqualTo(WriteOutcome.UNKNOWN);
        assertThatThrownBy(() -> ledger.ask("SELECT fence.prune_writes_v1('1 day')"))
                .hasMessageContaining("2 days at least");
    }

    @Test
    void aRecordOfAClientWhoseClockIsFarOffIsRefused() {
        long tomorrow = Trace.Row.make().madeAtMicros() + Duration.ofDays(1).toNanos() / 1000;
        GuardRulesIT.assertRefused(
                "ZF015", () -> ledger.ask("SELECT fence.record_v1(gen_random_uuid(), " + tomorrow + ")"));
    }

    @Test
    void withoutVerificationThereIsNothingToVerifyBy() throws SQLException {
        JdbcFence through = JdbcFence.on(ledger.through(cutting.port()), settings.withVerification(Verification.NONE));
        OutcomeUnknownException unknown = catchThrowableOfType(
                OutcomeUnknownException.class,
                () -> sealed(through).write(c -> {
                    Ledger.insert(c, resource);
                    cutting.atTheNextCommit(CuttingProxy.Fault.LOSE_THE_ANSWER_AND_CUT);
                }));
        assertThat(unknown.writeId()).isEmpty();
    }

    @Test
    void anIdOfAnotherKindOfFenceIsNoQuestion() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> direct.verify(resource, new WriteId("s3-1:x")))
                .withMessageContaining("pgx1:");
    }

    private WriteOutcome outcome(long timeline, long number, long life) {
        return direct.verify(resource, new Trace.Transaction(timeline, number, life).under(lease.token()));
    }

    /** A writer of a hasty fence to what was sealed with patience. */
    private JdbcWriter sealed(JdbcFence hasty) {
        direct.seal(lease, resource);
        return hasty.attach(lease.grant(), resource);
    }

    private static WriteId unknown(ThrowingCallable write) {
        return catchThrowableOfType(OutcomeUnknownException.class, write)
                .writeId()
                .orElseThrow();
    }
}
