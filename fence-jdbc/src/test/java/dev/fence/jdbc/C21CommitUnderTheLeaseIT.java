package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.Lease;
import dev.fence.LeaseState;
import dev.fence.ReleaseOutcome;
import dev.fence.StaleTokenException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C21: a transactional method closes its lease, and the commit comes after. The core part: who is let in, and when. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class C21CommitUnderTheLeaseIT {

    private static Ledger ledger;
    private static JdbcFence fence;

    private final String resource = Ledger.name();

    @BeforeAll
    static void migrate() throws SQLException {
        ledger = Ledger.create();
        fence = ledger.fence();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLeaseClosedInsideATransactionIsReleasedAfterItHasEnded(boolean commits) throws Exception {
        Lease lease = ledger.lease(resource);
        fence.create(lease, resource);
        JdbcWriter writer = fence.seal(lease, resource);
        FutureTask<ReleaseOutcome> release = new FutureTask<>(lease::release);
        Thread closing = new Thread(release, "closing");
        try (Connection connection = ledger.dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try (JoinedTransaction joined = writer.join(connection)) {
                Ledger.insert(connection, resource);
                closing.start();
                Await.until(() -> lease.state() instanceof LeaseState.Lost
                        && (closing.getState() == Thread.State.TIMED_WAITING || release.isDone()));
                assertThat(release.isDone()).isFalse();
                assertThat(ledger.service.holderOf(resource)).isEqualTo(lease.grant());
                if (commits) {
                    joined.beforeCommit();
                    connection.commit();
                } else {
                    connection.rollback();
                }
            }
        }
        assertThat(release.get(30, TimeUnit.SECONDS)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(ledger.count(resource)).isEqualTo(commits ? 1 : 0);
    }

    /** However the lease went: what the next holder reads, the old one's late commit cannot change. */
    @Test
    void whoReadsAfterTheSealReadsWhatTheOldTransactionLeaves() throws SQLException {
        Lease lease = ledger.lease(resource);
        fence.create(lease, resource);
        JdbcWriter old = fence.seal(lease, resource);
        try (Connection connection = ledger.dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try (JoinedTransaction joined = old.join(connection)) {
                Ledger.insert(connection, resource);
                connection.rollback(); // the old holder begins anew, and is overtaken
                Ledger.insert(connection, resource);
                JdbcWriter next = fence.seal(ledger.lease(resource), resource);
                String seen =
                        next.call(c -> Ledger.ask(c, "SELECT count(*) FROM entry WHERE text = '" + resource + "'"));
                assertThat(seen).isEqualTo("0");
                assertThatThrownBy(joined::beforeCommit).isInstanceOf(StaleTokenException.class);
                connection.commit(); // in vain
            }
        }
        assertThat(ledger.count(resource)).isZero();
    }
}
