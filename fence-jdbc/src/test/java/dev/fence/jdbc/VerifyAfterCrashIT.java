package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.Lease;
import dev.fence.WriteId;
import dev.fence.WriteOutcome;
import dev.fence.fixtures.PostgresServer;
import java.sql.Connection;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** After a crash a server gives numbers away again that it had not written down, on the same timeline. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class VerifyAfterCrashIT {

    @Test
    void aNumberOutlivesARestartButNoCrash() throws Exception {
        try (PostgresServer server = PostgresServer.startOwn()) {
            Ledger ledger = Ledger.on(server);
            Lease lease = ledger.lease("r");
            JdbcFence fence = ledger.fence();
            fence.create(lease, "r");
            WriteId lost;
            WriteId committed;
            try (Connection other = ledger.dataSource.getConnection()) {
                committed = joined(fence, lease, other);
                other.commit();
                server.restart();
            }
            assertThat(fence.verify("r", committed)).isEqualTo(WriteOutcome.APPLIED);

            try (Connection inFlight = ledger.dataSource.getConnection()) {
                lost = joined(fence, lease, inFlight);
                server.kill();
                server.restart();
            }
            long number = ((Trace.Transaction) Trace.Of.parse(lost).trace()).number();
            assertThat(Long.parseLong(ledger.ask("SELECT pg_current_xact_id()::text")))
                    .as("the next number after the crash")
                    .isLessThanOrEqualTo(number);
            Await.until(() -> Long.parseLong(ledger.ask("SELECT pg_current_xact_id()::text")) > number);
            assertThat(ledger.ask("SELECT pg_xact_status('" + number + "')"))
                    .as("what the server says of the number")
                    .isEqualTo("committed");
            assertThat(fence.verify("r", lost)).isEqualTo(WriteOutcome.UNKNOWN);
            assertThat(fence.verify("r", committed)).isEqualTo(WriteOutcome.UNKNOWN);
        }
    }

    private static WriteId joined(JdbcFence fence, Lease lease, Connection connection) throws Exception {
        connection.setAutoCommit(false);
        try (JoinedTransaction joined = fence.attach(lease.grant(), "r").join(connection)) {
            joined.beforeCommit();
            return joined.writeId().orElseThrow();
        }
    }
}
