package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.fence.Lease;
import dev.fence.StaleTokenException;
import dev.fence.fixtures.CountingProxy;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many rows by one statement: all or none, in a handful of round trips. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class BatchIT {

    private static final String INSERT = "INSERT INTO entry (text) VALUES (?)";

    private static Ledger ledger;
    private static CountingProxy proxy;
    private static HikariDataSource poolOfOne;

    private final String resource = Ledger.name();
    private Lease lease;
    private JdbcWriter writer;

    @BeforeAll
    static void migrate() throws SQLException {
        ledger = Ledger.create();
        proxy = CountingProxy.to(ledger.server.port());
        poolOfOne = new HikariDataSource();
        poolOfOne.setDataSource(ledger.through(proxy.port()));
        poolOfOne.setMaximumPoolSize(1);
    }

    @AfterAll
    static void close() {
        poolOfOne.close();
        proxy.close();
    }

    @BeforeEach
    void seal() {
        JdbcFence fence = JdbcFence.on(poolOfOne, ledger.settings);
        lease = ledger.lease(resource);
        fence.create(lease, resource);
        writer = fence.seal(lease, resource);
    }

    private List<Object[]> rows(int count) {
        return IntStream.range(0, count).mapToObj(i -> new Object[] {resource}).toList();
    }

    @Test
    void aThousandRowsAreAHandfulOfRoundTrips() throws SQLException {
        int before = proxy.roundTrips();
        assertThat(writer.executeBatch(INSERT, rows(1000))).hasSize(1000).containsOnly(1);
        assertThat(proxy.roundTrips() - before).isBetween(3, 8);
        before = proxy.roundTrips();
        writer.executeBatch(INSERT, rows(200));
        assertThat(proxy.roundTrips() - before).isEqualTo(3);
        assertThat(ledger.count(resource)).isEqualTo(1200);
    }

    /** The driver's own cut in a long batch, and an error behind it, must leave nothing. */
    @Test
    void anErrorInTheMiddleLeavesNothing() throws SQLException {
        List<Object[]> rows = new ArrayList<>(rows(600));
        rows.add(new Object[] {null});
        assertThatThrownBy(() -> writer.executeBatch(INSERT, rows))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("null");
        assertThat(ledger.count(resource)).isZero();
    }

    @Test
    void aStaleHolderWritesNoRow() throws SQLException {
        ledger.fence().seal(ledger.lease(resource), resource);
        assertThatThrownBy(() -> writer.executeBatch(INSERT, rows(600))).isInstanceOf(StaleTokenException.class);
        assertThat(ledger.count(resource)).isZero();
    }

    @Test
    void aRowOfAnotherLengthIsNotSentAndNoRowsAreNothing() throws SQLException {
        int before = proxy.roundTrips();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> writer.executeBatch(INSERT, List.of(new Object[] {resource}, new Object[0])))
                .withMessageContaining("row 1 has 0 parameters for 1 placeholders");
        assertThat(writer.executeBatch(INSERT, List.of())).isEmpty();
        assertThat(proxy.roundTrips()).isEqualTo(before);
    }
}
