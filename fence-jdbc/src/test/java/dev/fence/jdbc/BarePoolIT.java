package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.Lease;
import dev.fence.OutcomeUnknownException;
import dev.fence.UnsupportedStoreException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** A pool that gives the same connection out again and puts nothing right, and stands between us and the driver. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class BarePoolIT {

    private final Map<String, Fault> faults = new HashMap<>();
    private Ledger ledger;
    private Connection real;
    private JdbcWriter writer;

    /** What happens in place of a method of the connection. */
    private interface Fault {
        void happen() throws Exception;
    }

    @BeforeEach
    void seal() throws SQLException {
        ledger = Ledger.create();
        real = ledger.dataSource.getConnection();
        faults.put("close", () -> {});
        JdbcFence fence = JdbcFence.on(new Pool(), ledger.settings);
        Lease lease = ledger.lease("r");
        fence.create(lease, "r");
        writer = fence.seal(lease, "r");
    }

    @AfterEach
    void close() throws SQLException {
        real.close();
    }

    @Test
    void aConnectionComesBackAsItCame() throws SQLException {
        writer.write(c -> Ledger.insert(c, "r"));
        assertThat(real.getAutoCommit()).isTrue();
        assertThat(real.getNetworkTimeout()).isZero();

        real.setAutoCommit(false);
        writer.execute("INSERT INTO entry (text) VALUES (?)", "r");
        assertThat(real.getAutoCommit()).isFalse();
        assertThat(real.getNetworkTimeout()).isZero();
        assertThat(ledger.count("r")).isEqualTo(2);
    }

    @Test
    void whateverElseEscapesFromACommitIsUnknown() throws SQLException {
        assertThatThrownBy(() -> writer.write(c -> {
                    Ledger.insert(c, "r");
                    faults.put("commit", () -> {
                        real.commit();
                        throw new IllegalStateException("the pool's own failure");
                    });
                }))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasCauseInstanceOf(IllegalStateException.class);
        assertThat(ledger.count("r")).isEqualTo(1);
    }

    /** As behind a pooler that mixes up prepared statements. */
    @Test
    void aCommitThatWasAnsweredAndWasNoneChangedNothing() throws SQLException {
        assertThatThrownBy(() -> writer.write(c -> {
                    Ledger.insert(c, "r");
                    faults.put("commit", () -> {});
                }))
                .isInstanceOf(UnsupportedStoreException.class)
                .hasMessageContaining("still open");
        assertThat(real.getAutoCommit()).isTrue();
        assertThat(ledger.count("r")).isZero();
    }

    /** Switching it back to auto-commit would commit what could not be rolled back. */
    @Test
    void aConnectionThatCannotBeRolledBackIsCutOff() throws SQLException {
        assertThatThrownBy(() -> writer.write(c -> {
                    Ledger.insert(c, "r");
                    faults.put("rollback", () -> {
                        throw new SQLException("the pool's own failure");
                    });
                    throw new IllegalStateException("the body's own failure");
                }))
                .hasMessage("the body's own failure");
        assertThat(real.isClosed()).isTrue();
        assertThat(ledger.count("r")).isZero();
    }

    private final class Pool extends PGSimpleDataSource {

        private static final long serialVersionUID = 1;

        @Override
        public Connection getConnection() {
            return (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, args) -> {
                        Fault fault = faults.get(method.getName());
                        if (fault == null) {
                            return method.invoke(real, args);
                        }
                        fault.happen();
                        return null;
                    });
        }
    }
}
