package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.BusyException;
import dev.fence.FencedWriter;
import dev.fence.Lease;
import dev.fence.StaleTokenException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** C19: A asks whether it still holds the lease, gets yes, is paused, and then writes. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class C19CheckFirstWriteLaterIT {

    private static Ledger ledger;
    private static JdbcFence fence;

    private final String resource = Ledger.name();
    private FencedWriter<Connection> writerOfA;
    private Lease leaseOfB;

    @BeforeAll
    static void migrate() throws SQLException {
        ledger = Ledger.create();
        fence = JdbcFence.on(ledger.dataSource, ledger.settings.withSealWait(Duration.ofMillis(200)));
    }

    @BeforeEach
    void aSealsAndBIsGrantedTheLease() {
        Lease leaseOfA = ledger.lease(resource);
        fence.create(leaseOfA, resource);
        writerOfA = fence.seal(leaseOfA, resource);
        leaseOfB = ledger.lease(resource);
        assertThat(leaseOfA.state()).hasToString("Held[]"); // what A goes on
    }

    @Test
    void pausedBeforeItsTransactionAIsRefusedAndNothingChanged() throws SQLException {
        fence.seal(leaseOfB, resource).write(c -> Ledger.insert(c, "B " + resource));
        assertThatThrownBy(() -> writerOfA.write(c -> Ledger.insert(c, "A " + resource)))
                .isInstanceOf(StaleTokenException.class);
        assertThat(ledger.count("A " + resource)).isZero();
        assertThat(ledger.count("B " + resource)).isEqualTo(1);
    }

    @Test
    void pausedInsideItsTransactionAMakesBWaitWithABoundUntilAIsCutOff() throws SQLException {
        assertThatThrownBy(() -> writerOfA.write(c -> {
                    Ledger.insert(c, "A " + resource);
                    String pid = Ledger.ask(c, "SELECT pg_backend_pid()");
                    assertThatThrownBy(() -> fence.seal(leaseOfB, resource))
                            .isInstanceOf(BusyException.class)
                            .hasMessageContaining("backend " + pid);
                    ledger.run("SELECT pg_terminate_backend(" + pid + ", 10000)");
                    fence.seal(leaseOfB, resource).write(b -> Ledger.insert(b, "B " + resource));
                    Ledger.insert(c, "A again " + resource); // A goes on as if nothing had happened
                }))
                .isInstanceOf(BusyException.class);
        assertThatThrownBy(() -> writerOfA.write(c -> {})).isInstanceOf(StaleTokenException.class);
        assertThat(ledger.count("A " + resource)).isZero();
        assertThat(ledger.count("B " + resource)).isEqualTo(1);
    }
}
