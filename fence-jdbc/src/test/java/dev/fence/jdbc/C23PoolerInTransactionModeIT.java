package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.fence.BusyException;
import dev.fence.Lease;
import dev.fence.LeaseLostException;
import dev.fence.StaleTokenException;
import dev.fence.UnsupportedStoreException;
import dev.fence.fixtures.PgBouncer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** C23: behind a pooler that gives each transaction another server connection. Nothing of ours is left in a session. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class C23PoolerInTransactionModeIT {

    private static final String INSERT = "INSERT INTO entry (text) VALUES (?)";
    private static final int REPEATS = 8; // past the driver's threshold for prepared statements

    private static Ledger ledger;
    private static PgBouncer pooler;

    @BeforeAll
    static void migrate() throws SQLException {
        ledger = Ledger.create();
        pooler = PgBouncer.before(ledger.server);
        ledger.run("CREATE TABLE accounts (id int PRIMARY KEY, balance bigint DEFAULT 0,"
                + " fence_token bigint, fence_holder uuid, fence_timeline bigint)");
        ledger.run("INSERT INTO accounts VALUES (1)");
        ledger.run("CREATE TABLE item (id int, text text)");
        ledger.run("INSERT INTO item VALUES (1)");
    }

    @AfterAll
    static void close() {
        pooler.close();
    }

    private static PGSimpleDataSource pooled(PgBouncer pooler, int prepareThreshold) {
        PGSimpleDataSource dataSource = pooler.dataSource(ledger.database);
        dataSource.setPrepareThreshold(prepareThreshold);
        return dataSource;
    }

    @Test
    void everyWayToWriteWorksAndAStaleHolderIsRefused() throws SQLException {
        String resource = Ledger.name();
        PGSimpleDataSource dataSource = pooled(pooler, 0);
        JdbcFence fence = JdbcFence.on(dataSource, ledger.settings.withVerification(Verification.STATEMENTS_TOO));
        Lease lease = ledger.lease(resource);
        fence.create(lease, resource);
        ledger.run("SELECT fence.protect_v1('item', '" + resource + "', false)");
        JdbcWriter writer = fence.seal(lease, resource);
        for (int i = 0; i < REPEATS; i++) {
            writer.write(c -> Ledger.insert(c, resource));
            writer.execute(INSERT, resource);
            writer.executeBatch(INSERT, List.<Object[]>of(new Object[] {resource}));
            writer.execute("UPDATE item SET text = ?", resource);
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                try (JoinedTransaction joined = writer.join(connection)) {
                    Ledger.insert(connection, resource);
                    joined.beforeCommit();
                    connection.commit();
                }
            }
        }
        assertThat(ledger.count(resource)).isEqualTo(4 * REPEATS);
        Lease account = ledger.lease("accounts/1");
        RowFence rows = RowFence.over(fence, RowTable.of("accounts", "id"));
        rows.create(account, "accounts/1");
        rows.seal(account, "accounts/1").update("balance = ?", 5);
        assertThat(ledger.ask("SELECT balance FROM accounts")).isEqualTo("5");
        fence.seal(ledger.lease(resource), resource);
        JdbcWriter former = fence.attach(lease.grant(), resource);
        assertThatThrownBy(() -> former.execute(INSERT, resource)).isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> former.write(c -> {})).isInstanceOf(StaleTokenException.class);
    }

    /** What one transaction noted must not be there for the next, which is another client's. */
    @Test
    void nothingIsLeftInAServerConnection() throws SQLException {
        String resource = Ledger.name();
        PGSimpleDataSource dataSource = pooled(pooler, 0);
        JdbcFence fence = JdbcFence.on(dataSource, ledger.settings);
        Lease lease = ledger.lease(resource);
        fence.create(lease, resource);
        fence.seal(lease, resource).execute(INSERT, resource);
        fence.seal(lease, resource).write(c -> Ledger.insert(c, resource));
        for (int i = 0; i < REPEATS; i++) {
            assertThat(
                            Ledger.ask(
                                    dataSource,
                                    "SELECT concat_ws(',', current_setting('fence.passed', true), current_setting('lock_timeout'),"
                                            + " current_setting('idle_in_transaction_session_timeout'),"
                                            + " (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()))"))
                    .isIn(",0,0,0", "0,0,0");
        }
    }

    /** Each write of a holder says its number; after the next holder's seal no number of it may appear. */
    @Test
    void holdersThatRaceThroughTheTwoConnectionsExcludeEachOther() throws Exception {
        String resource = Ledger.name();
        JdbcFence fence = JdbcFence.on(pooled(pooler, 0), ledger.settings);
        Lease first = ledger.lease(resource);
        fence.create(first, resource);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        AtomicInteger superseded = new AtomicInteger();
        try {
            List<Future<Integer>> all = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                all.add(threads.submit(() -> {
                    int written = 0;
                    // More where the machine is so busy that none has met another yet.
                    for (int round = 0; round < 10 || (round < 200 && superseded.get() == 0); round++) {
                        try {
                            Lease lease;
                            synchronized (superseded) {
                                lease = ledger.lease(resource);
                            }
                            JdbcWriter writer = fence.seal(lease, resource);
                            for (int i = 0; i < 5; i++) {
                                writer.execute(INSERT, resource + "/" + lease.token());
                                written++;
                            }
                        } catch (StaleTokenException | LeaseLostException | BusyException e) {
                            superseded.incrementAndGet(); // the next round is another holder
                        }
                    }
                    return written;
                }));
            }
            int written = 0;
            for (Future<Integer> each : all) {
                written += each.get();
            }
            assertThat(ledger.ask("SELECT count(*) FROM entry WHERE text LIKE '" + resource + "/%'"))
                    .isEqualTo(Integer.toString(written));
            assertThat(written).isPositive();
            assertThat(superseded).as("holders that met a newer one").hasPositiveValue();
            // in the order of the commits, as far as ids tell: a token never comes back below one that was seen
            assertThat(ledger.ask("SELECT count(*) FROM (SELECT split_part(text, '/', 2)::bigint AS token,"
                            + " max(split_part(text, '/', 2)::bigint) OVER (ORDER BY id) AS newest FROM entry"
                            + " WHERE text LIKE '" + resource + "/%') AS e WHERE token < newest"))
                    .isEqualTo("0");
        } finally {
            threads.shutdownNow();
        }
    }

    /** Before PgBouncer 1.21 a prepared statement is looked for in another connection than it was made in: said, and safe. */
    @Test
    void preparedStatementsWorkOrAreRefusedAndWhatIsAcknowledgedIsThere() throws SQLException {
        String resource = Ledger.name();
        boolean known = pooler.knowsPreparedStatements();
        Lease lease = ledger.lease(resource);
        ledger.fence().create(lease, resource);
        int acknowledged = 0;
        int refused = 0;
        try (PgBouncer second = PgBouncer.before(ledger.server, known ? "max_prepared_statements = 100" : "");
                HikariDataSource pool = new HikariDataSource();
                Connection other = pooled(second, 0).getConnection()) {
            pool.setDataSource(pooled(second, 1));
            pool.setMaximumPoolSize(1);
            other.setAutoCommit(false);
            JdbcWriter writer = JdbcFence.on(pool, ledger.settings).attach(lease.grant(), resource);
            for (int i = 0; i < 20; i++) {
                if (i % 2 == 1) {
                    Ledger.ask(other, "SELECT 1"); // has the server connection that the last write had
                }
                try {
                    writer.write(c -> Ledger.insert(c, resource));
                    acknowledged++;
                } catch (UnsupportedStoreException e) {
                    assertThat(e).hasMessageContaining("prepareThreshold=0");
                    refused++;
                } catch (SQLException | CommitRefusedException e) {
                    assertThat(e).hasMessageContaining("prepared statement");
                    refused++;
                }
                other.rollback();
            }
        }
        assertThat(ledger.count(resource)).isEqualTo(acknowledged);
        assertThat(refused).matches(n -> known ? n == 0 : n > 0);
    }
}
