package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.Lease;
import dev.fence.UnsupportedStoreException;
import dev.fence.fixtures.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** C26: a routing data source sends us to a standby that is behind. Nothing is decided there, and no body runs. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class C26ReadReplicaIT {

    @Test
    void nothingIsDecidedOnAStandby() throws Exception {
        try (PostgresServer primary = PostgresServer.startNative()) {
            Ledger ledger = Ledger.on(primary);
            Lease lease = ledger.lease("r");
            ledger.fence().create(lease, "r");
            try (PostgresServer standby = PostgresServer.startStandbyOf(primary)) {
                PGSimpleDataSource replica = standby.dataSource(ledger.database);
                Await.until(() ->
                        Ledger.ask(replica, "SELECT count(*) FROM fence.guard").equals("1"));
                Ledger.run(replica, "SELECT pg_wal_replay_pause()");
                assertStandby(() -> JdbcFence.on(replica));

                Routing routing = new Routing(ledger.dataSource, replica);
                JdbcFence fence = JdbcFence.on(routing, ledger.settings);
                JdbcWriter writer = fence.seal(lease, "r");
                JdbcWriter former = fence.attach(lease.grant(), "r");
                Lease next = ledger.lease("r");
                fence.seal(next, "r"); // which the replica does not show
                assertThat(Ledger.ask(replica, "SELECT token FROM fence.guard"))
                        .isEqualTo(lease.token().toString());
                routing.toReplica = true;
                for (JdbcWriter each : new JdbcWriter[] {former, fence.attach(next.grant(), "r")}) {
                    assertStandby(() -> each.write(c -> {
                        throw new AssertionError("ran");
                    }));
                    assertStandby(() -> each.execute("INSERT INTO entry (text) VALUES (?)", "x"));
                    assertStandby(() -> {
                        try (Connection connection = routing.getConnection()) {
                            connection.setAutoCommit(false);
                            each.join(connection);
                        }
                    });
                }
                assertStandby(() -> fence.seal(next, "r"));
                assertStandby(() -> fence.verify("r", new Trace.Transaction(1, 1, 1).under(next.token())));
                assertStandby(() -> fence.verify("r", Trace.Row.make().under(next.token())));
                assertThat(writer.resource()).isEqualTo("r");
            }
        }
    }

    private static void assertStandby(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(UnsupportedStoreException.class).hasMessageContaining("standby");
    }

    private static final class Routing extends PGSimpleDataSource {

        private static final long serialVersionUID = 1;

        private final transient PGSimpleDataSource primary;
        private final transient PGSimpleDataSource replica;
        private volatile boolean toReplica;

        Routing(PGSimpleDataSource primary, PGSimpleDataSource replica) {
            this.primary = primary;
            this.replica = replica;
        }

        @Override
        public Connection getConnection() throws SQLException {
            return (toReplica ? replica : primary).getConnection();
        }
    }
}
