package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.fence.BusyException;
import dev.fence.Lease;
import dev.fence.StaleTokenException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Rows that carry their token, raced: each new holder reads the balance, and writes one more than it read, while former holders go on
 * adding one. If an addition came between the two, or after the seal, the balance would be less than what was acknowledged.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RowRaceIT {

    private static final int HOLDERS = 25;
    private static final int WRITERS = 4;
    private static final AtomicInteger IDS = new AtomicInteger();

    private static Ledger ledger;

    @BeforeAll
    static void migrate() throws SQLException {
        ledger = Ledger.create();
        ledger.run("CREATE TABLE accounts (id int PRIMARY KEY, balance bigint NOT NULL DEFAULT 0,"
                + " fence_token bigint, fence_holder uuid, fence_timeline bigint)");
    }

    @ParameterizedTest
    @EnumSource
    void noAdditionIsLostAndNoneComesLate(Isolation isolation) throws Exception {
        int id = IDS.incrementAndGet();
        ledger.run("INSERT INTO accounts (id) VALUES (" + id + ")");
        String resource = "accounts/" + id;
        AtomicInteger acknowledged = new AtomicInteger();
        AtomicReference<RowWriter> newest = new AtomicReference<>();
        boolean[] stop = {false};
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setDataSource(ledger.dataSource);
            pool.setMaximumPoolSize(WRITERS + 1);
            JdbcFence guard =
                    JdbcFence.on(pool, ledger.settings.withIsolation(isolation).withSealWait(Duration.ofSeconds(30)));
            RowFence fence = RowFence.over(guard, RowTable.of("accounts", "id"));
            fence.create(ledger.lease(resource), resource);
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                running.add(threads.submit(() -> {
                    while (!stop[0]) {
                        addUntilRefused(newest.get(), acknowledged, stop);
                    }
                    return null;
                }));
            }
            for (int i = 0; i < HOLDERS; i++) {
                Lease lease = ledger.lease(resource);
                RowWriter writer = fence.seal(lease, resource);
                long read = read(writer, id);
                set(writer, read + 1); // alone: nobody else has this holder's writer yet
                acknowledged.incrementAndGet();
                newest.set(fence.attach(lease.grant(), resource));
                int enough = acknowledged.get() + WRITERS;
                Await.until(
                        () -> acknowledged.get() >= enough || running.stream().anyMatch(Future::isDone));
            }
            stop[0] = true;
            for (Future<?> each : running) {
                each.get();
            }
            assertThat(ledger.ask("SELECT balance FROM accounts WHERE id = " + id))
                    .isEqualTo(acknowledged.toString());
        } finally {
            stop[0] = true;
            threads.shutdownNow();
        }
    }

    private static void addUntilRefused(@Nullable RowWriter writer, AtomicInteger acknowledged, boolean[] stop)
            throws SQLException {
        while (!stop[0] && writer != null) {
            try {
                writer.update("balance = balance + ?", 1);
                acknowledged.incrementAndGet();
            } catch (BusyException e) {
                // try the same again
            } catch (StaleTokenException e) {
                return; // a newer holder has sealed
            }
        }
    }

    private static long read(RowWriter writer, int id) throws SQLException {
        while (true) {
            try {
                return Long.parseLong(writer.call(c -> Ledger.ask(c, "SELECT balance FROM accounts WHERE id = " + id)));
            } catch (BusyException e) {
                // a former holder's update had the row: try the same again
            }
        }
    }

    private static void set(RowWriter writer, long balance) throws SQLException {
        while (true) {
            try {
                writer.update("balance = ?", balance);
                return;
            } catch (BusyException e) {
                // the same
            }
        }
    }
}
