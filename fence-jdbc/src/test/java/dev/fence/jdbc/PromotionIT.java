package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.Lease;
import dev.fence.LeaseLostException;
import dev.fence.TokenSourceException;
import dev.fence.TokenSourceException.Problem;
import dev.fence.WriteId;
import dev.fence.WriteOutcome;
import dev.fence.fixtures.PostgresServer;
import java.sql.Connection;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A standby that lags behind is promoted: it has forgotten the newest seal, and lets no older token pass for that. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PromotionIT {

    @Test
    void aStandbyThatLagsBehindLetsNoOldTokenPassAndTellsNoLies() throws Exception {
        try (PostgresServer primary = PostgresServer.startNative()) {
            Ledger ledger = Ledger.on(primary);
            ledger.run("CREATE TABLE accounts (id int PRIMARY KEY, balance bigint DEFAULT 0,"
                    + " fence_token bigint, fence_holder uuid, fence_timeline bigint)");
            ledger.run("INSERT INTO accounts VALUES (1)");
            JdbcFence before = ledger.fence();
            Lease old = ledger.lease("r");
            before.create(old, "r");
            Lease oldOfRow = ledger.lease("accounts/1");
            RowFence.over(before, RowTable.of("accounts", "id")).create(oldOfRow, "accounts/1");

            try (PostgresServer standby = PostgresServer.startStandbyOf(primary)) {
                Ledger after = ledger.movedTo(standby);
                Await.until(() -> Ledger.ask(after.dataSource, "SELECT fence_token FROM accounts")
                        .equals(oldOfRow.token().toString()));
                after.run("ALTER SYSTEM SET primary_conninfo = ''");
                after.run("SELECT pg_reload_conf()");
                Await.until(() ->
                        after.ask("SELECT count(*) FROM pg_stat_wal_receiver").equals("0"));
                // acknowledged by the primary, and never seen by the standby
                Lease next = ledger.lease("r");
                JdbcWriter writer = before.seal(next, "r");
                Lease nextOfRow = ledger.lease("accounts/1");
                RowFence.over(before, RowTable.of("accounts", "id")).seal(nextOfRow, "accounts/1");
                WriteId id = writtenTo(ledger, writer);
                assertThat(before.verify("r", id)).isEqualTo(WriteOutcome.APPLIED);
                primary.kill();
                after.run("SELECT pg_promote(true, 60)");
                Await.until(() -> after.ask("SELECT pg_is_in_recovery()").equals("f"));

                JdbcFence fence = after.fence();
                RowFence rows = RowFence.over(fence, RowTable.of("accounts", "id"));
                assertHistoryLost(() -> fence.attach(old.grant(), "r").write(c -> {}));
                assertHistoryLost(() -> fence.attach(next.grant(), "r").write(c -> {}));
                assertHistoryLost(
                        () -> rows.attach(oldOfRow.grant(), "accounts/1").update("balance = ?", 1));
                assertHistoryLost(
                        () -> rows.attach(nextOfRow.grant(), "accounts/1").update("balance = ?", 1));
                assertThatThrownBy(() -> fence.seal(old, "r")).isInstanceOf(LeaseLostException.class);
                assertThatThrownBy(() -> rows.seal(oldOfRow, "accounts/1")).isInstanceOf(LeaseLostException.class);
                assertThat(fence.verify("r", id)).isEqualTo(WriteOutcome.UNKNOWN);

                fence.seal(next, "r").write(c -> Ledger.insert(c, "sealed again"));
                rows.seal(nextOfRow, "accounts/1").update("balance = ?", 7);
                assertThat(after.ask("SELECT balance FROM accounts")).isEqualTo("7");
                // the number has been given away again by now, and committed
                assertThat(fence.verify("r", id)).isEqualTo(WriteOutcome.UNKNOWN);
                assertThat(after.count("sealed again")).isEqualTo(1);
            }
        }
    }

    private static WriteId writtenTo(Ledger ledger, JdbcWriter writer) throws Exception {
        try (Connection connection = ledger.dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try (JoinedTransaction joined = writer.join(connection)) {
                Ledger.insert(connection, "lost");
                joined.beforeCommit();
                connection.commit();
                return joined.writeId().orElseThrow();
            }
        }
    }

    /** The guard of the old grant fell back into place, that of the new one is lower: both stop at the timeline. */
    private static void assertHistoryLost(ThrowingCallable write) {
        assertThatThrownBy(write)
                .asInstanceOf(InstanceOfAssertFactories.type(TokenSourceException.class))
                .extracting(TokenSourceException::problem)
                .isIn(Problem.HISTORY_LOST, Problem.NOT_SEALED);
    }
}
