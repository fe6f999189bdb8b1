package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.BusyException;
import dev.fence.Lease;
import dev.fence.UnsupportedStoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** C22: a holder acquires inside a transaction that began long before. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class C22OlderThanTheSealIT {

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
    void create() {
        fence.create(ledger.lease(resource), resource);
        lease = ledger.lease(resource);
    }

    /** What it read before the seal can have been changed by the former holder since. */
    @Test
    void aTransactionThatBeganBeforeTheSealIsBusyAndOneThatBeginsAfterItIsNot() throws SQLException {
        try (Connection connection = ledger.dataSource.getConnection()) {
            connection.setAutoCommit(false);
            Ledger.ask(connection, "SELECT count(*) FROM entry");
            JdbcWriter writer = fence.seal(lease, resource);
            assertThatThrownBy(() -> writer.join(connection))
                    .isInstanceOf(BusyException.class)
                    .hasMessageContaining("began before the seal");
            connection.rollback();
            try (JoinedTransaction joined = writer.join(connection)) {
                joined.beforeCommit();
                connection.commit();
            }
        }
    }

    @Test
    void rollingBackTheCallersTransactionDoesNotUndoTheSeal() throws SQLException {
        try (Connection connection = ledger.dataSource.getConnection()) {
            connection.setAutoCommit(false);
            Ledger.ask(connection, "SELECT 1");
            fence.seal(lease, resource);
            connection.rollback();
        }
        assertThat(ledger.ask("SELECT token FROM fence.guard WHERE resource = '" + resource + "'"))
                .isEqualTo(lease.token().toString());
    }

    /** As a data source does that knows of the caller's transaction: a seal in it could be rolled back. */
    @Test
    void aSealInsideTheCallersTransactionIsRefused() throws SQLException {
        String guard = "SELECT token FROM fence.guard WHERE resource = '" + resource + "'";
        String before = ledger.ask(guard);
        AtomicReference<Connection> callers = new AtomicReference<>();
        DataSource aware = new PGSimpleDataSource() {
            private static final long serialVersionUID = 1;

            @Override
            public Connection getConnection() throws SQLException {
                Connection current = callers.get();
                return current == null ? ledger.dataSource.getConnection() : current;
            }
        };
        JdbcFence insideOut = JdbcFence.on(aware, ledger.settings);
        try (Connection connection = ledger.dataSource.getConnection()) {
            connection.setAutoCommit(false);
            Ledger.ask(connection, "SELECT 1");
            callers.set(connection);
            assertThatThrownBy(() -> insideOut.seal(lease, resource))
                    .isInstanceOf(UnsupportedStoreException.class)
                    .hasMessageContaining("open transaction");
        }
        assertThat(ledger.ask(guard)).isEqualTo(before);
    }
}
