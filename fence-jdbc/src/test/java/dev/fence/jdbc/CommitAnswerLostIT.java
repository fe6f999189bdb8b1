package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.FencedWriter;
import dev.fence.Lease;
import dev.fence.OutcomeUnknownException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

/** COMMIT was sent and its answer does not come: unknown, and never longer than the bound. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CommitAnswerLostIT {

    private static final Duration COMMIT_WAIT = Duration.ofMillis(500);

    private static Ledger ledger;
    private static CuttingProxy proxy;
    private static PGSimpleDataSource through;
    private static JdbcFence fence;

    private final String resource = Ledger.name();
    private Lease lease;

    @BeforeAll
    static void migrate() throws SQLException, IOException {
        ledger = Ledger.create();
        proxy = new CuttingProxy(ledger.server.port());
        through = ledger.through(proxy.port());
        fence = JdbcFence.on(through, ledger.settings.withCommitWait(COMMIT_WAIT));
    }

    @AfterAll
    static void close() throws IOException {
        proxy.close();
    }

    @BeforeEach
    void create() {
        proxy.atTheNextCommit(CuttingProxy.Fault.NONE);
        lease = ledger.lease(resource);
        ledger.fence().create(lease, resource);
        ledger.fence().seal(lease, resource); // with patience, unlike the writes
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void aWriteWhoseCommitIsNotAnsweredIsUnknown(CuttingProxy.Fault fault) throws SQLException {
        FencedWriter<Connection> writer = fence.attach(lease.grant(), resource);
        long begun = System.nanoTime();
        assertThatThrownBy(() -> writer.write(c -> {
                    Ledger.insert(c, resource);
                    proxy.atTheNextCommit(fault);
                }))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining(resource);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(COMMIT_WAIT.plusSeconds(20));
        boolean committed = fault != CuttingProxy.Fault.LOSE_THE_COMMIT_AND_CUT;
        Await.until(() -> ledger.count(resource) == (committed ? 1 : 0));
        assertThat(ledger.events).contains("unknown " + lease.token() + " " + resource);
    }

    /** Here the answer to the statement is the answer to its commit. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void aStatementThatIsNotAnsweredIsUnknown(CuttingProxy.Fault fault) throws SQLException {
        Duration longest = Duration.ofSeconds(2);
        JdbcFence hasty = JdbcFence.on(
                through,
                ledger.settings
                        .withCommitWait(COMMIT_WAIT)
                        .withCheckWait(COMMIT_WAIT)
                        .withLongestTransaction(longest));
        JdbcWriter writer = hasty.attach(lease.grant(), resource);
        proxy.atTheNext("INSERT INTO entry", fault);
        long begun = System.nanoTime();
        assertThatThrownBy(() -> writer.execute("INSERT INTO entry (text) VALUES (?)", resource))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining(resource);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(COMMIT_WAIT.plusSeconds(20));
        boolean committed = fault != CuttingProxy.Fault.LOSE_THE_COMMIT_AND_CUT;
        Await.until(() -> ledger.count(resource) == (committed ? 1 : 0));
        assertThat(ledger.events).contains("unknown " + lease.token() + " " + resource);
    }

    @Test
    void aSealWhoseCommitIsNotAnsweredIsUnknownAndSealingAgainIsSafe() {
        Lease next = ledger.lease(resource);
        JdbcFence patient = JdbcFence.on(through, ledger.settings);
        proxy.atTheNextCommit(CuttingProxy.Fault.LOSE_THE_ANSWER_AND_CUT);
        assertThatThrownBy(() -> patient.seal(next, resource)).isInstanceOf(OutcomeUnknownException.class);
        proxy.atTheNextCommit(CuttingProxy.Fault.NONE);
        patient.seal(next, resource).write(c -> {});
    }

    /** The application's own bound of its network is shorter than ours: it stays. */
    @Test
    void aShorterBoundOfTheNetworkStays() throws SQLException {
        PGSimpleDataSource impatient = ledger.through(proxy.port());
        impatient.setSocketTimeout(3);
        JdbcFence patient = JdbcFence.on(impatient, ledger.settings.withCommitWait(Duration.ofSeconds(30)));
        JdbcWriter writer = patient.attach(lease.grant(), resource);
        long begun = System.nanoTime();
        assertThatThrownBy(() -> writer.write(c -> {
                    Ledger.insert(c, resource);
                    proxy.atTheNextCommit(CuttingProxy.Fault.LOSE_THE_ANSWER_AND_FALL_SILENT);
                }))
                .isInstanceOf(OutcomeUnknownException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
    }
}
