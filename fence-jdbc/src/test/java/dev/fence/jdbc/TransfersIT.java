package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.fence.BusyException;
import dev.fence.Lease;
import dev.fence.StaleTokenException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** C30, raced: random pairs of accounts in both orders, while new holders seal pairs of them, in both orders too. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TransfersIT {

    private static final int ACCOUNTS = 6;
    private static final int WRITERS = 4;
    private static final int SEALS = 40;

    private final AtomicReferenceArray<JdbcWriter> newest = new AtomicReferenceArray<>(ACCOUNTS);
    private final AtomicInteger transferred = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicBoolean stop = new AtomicBoolean();

    @Test
    void randomTransfersNeitherDeadlockNorChangeTheSum() throws Exception {
        Ledger ledger = Ledger.create();
        ledger.run("CREATE TABLE account (id int PRIMARY KEY, balance int NOT NULL)");
        ledger.run("INSERT INTO account SELECT i, 100 FROM generate_series(0, " + (ACCOUNTS - 1) + ") i");
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setDataSource(ledger.dataSource);
            pool.setMaximumPoolSize(WRITERS + 1);
            // Where a wait for a lock ended, it would be for a deadlock and not for a busy machine.
            JdbcFence fence = JdbcFence.on(
                    pool,
                    ledger.settings
                            .withSealWait(Duration.ofSeconds(30))
                            .withCheckWait(Duration.ofSeconds(30))
                            .withLongestTransaction(Duration.ofMinutes(1)));
            Lease first = ledger.lease("accounts");
            for (int i = 0; i < ACCOUNTS; i++) {
                fence.create(first, "account/" + i);
                newest.set(i, fence.attach(first.grant(), "account/" + i));
            }
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                Random random = new Random(i);
                running.add(threads.submit(() -> transferUntilStopped(fence, random)));
            }
            Random random = new Random(WRITERS);
            for (int i = 0; i < SEALS; i++) {
                int one = random.nextInt(ACCOUNTS);
                int other = (one + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
                Lease lease = ledger.lease("accounts");
                fence.seal(lease, Set.of("account/" + one, "account/" + other));
                int enough = transferred.get() + refused.get() + WRITERS; // with the old writers of the two
                Await.until(() -> transferred.get() + refused.get() >= enough || anyDone(running));
                newest.set(one, fence.attach(lease.grant(), "account/" + one));
                newest.set(other, fence.attach(lease.grant(), "account/" + other));
            }
            stop.set(true);
            for (Future<?> each : running) {
                each.get(30, TimeUnit.SECONDS);
            }
        } finally {
            stop.set(true);
            threads.shutdown();
        }
        assertThat(ledger.ask("SELECT sum(balance) FROM account")).isEqualTo(String.valueOf(100 * ACCOUNTS));
        assertThat(ledger.entries()).hasSize(transferred.get());
        assertThat(refused.get()).isPositive();
        assertThat(transferred.get()).isPositive();
    }

    private void transferUntilStopped(JdbcFence fence, Random random) {
        while (!stop.get()) {
            int from = random.nextInt(ACCOUNTS);
            int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
            try {
                fence.together(newest.get(from), newest.get(to)).write(c -> {
                    move(c, Math.min(from, to), from < to ? -1 : 1); // rows in one order: what bodies lock is theirs
                    move(c, Math.max(from, to), from < to ? 1 : -1);
                    Ledger.insert(c, from + " to " + to);
                });
                transferred.incrementAndGet();
            } catch (StaleTokenException e) {
                refused.incrementAndGet();
            } catch (SQLException | BusyException e) {
                throw new AssertionError("neither a deadlock nor a lock time-out may come of it", e);
            }
        }
    }

    private static void move(Connection connection, int account, int amount) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("UPDATE account SET balance = balance + ? WHERE id = ?")) {
            statement.setInt(1, amount);
            statement.setInt(2, account);
            statement.executeUpdate();
        }
    }

    private static boolean anyDone(List<Future<?>> running) {
        return running.stream().anyMatch(Future::isDone);
    }
}
