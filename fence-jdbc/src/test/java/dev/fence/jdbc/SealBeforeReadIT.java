package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.fence.BusyException;
import dev.fence.FencedWriter;
import dev.fence.Lease;
import dev.fence.StaleTokenException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Invariants 2 and 5, raced: holders follow each other while all former ones go on. Each write names the row that it
 * builds on, read before in another transaction of the same holder. If every row builds on the last one of its holder or
 * on the last that its predecessor left, no write was lost and none came late.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SealBeforeReadIT {

    private static final int HOLDERS = 30;
    private static final int WRITERS = 4;

    private static Ledger ledger;

    @BeforeAll
    static void migrate() throws SQLException {
        ledger = Ledger.create();
        ledger.run(
                "CREATE TABLE chain (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, resource text, token bigint,"
                        + " builds_on bigint)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"read committed", "repeatable read", "serializable"})
    void aReadModifyWriteOfANewHolderNeitherLosesNorIsLost(String level) throws Exception {
        String resource = Ledger.name();
        PGSimpleDataSource dataSource = ledger.server.dataSource(ledger.database);
        dataSource.setOptions("-c default_transaction_isolation=" + level.replace(" ", "\\ "));
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setDataSource(dataSource);
            pool.setMaximumPoolSize(WRITERS + 1);
            race(resource, JdbcFence.on(pool, ledger.settings.withSealWait(Duration.ofSeconds(30))));
        }
    }

    private static void race(String resource, JdbcFence fence) throws Exception {
        fence.create(ledger.lease(resource), resource);

        AtomicReference<FencedWriter<Connection>> newest = new AtomicReference<>();
        AtomicReference<Throwable> unexpected = new AtomicReference<>();
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        List<Future<?>> running = new ArrayList<>();
        List<Long> acknowledged = Collections.synchronizedList(new ArrayList<>());
        boolean[] stop = {false};
        for (int i = 0; i < WRITERS; i++) {
            running.add(threads.submit(() -> {
                while (!stop[0]) {
                    FencedWriter<Connection> writer = newest.get();
                    if (writer != null) {
                        goOnUntilRefused(writer, acknowledged, unexpected, stop);
                    }
                }
            }));
        }
        for (int i = 0; i < HOLDERS; i++) {
            Lease lease = ledger.lease(resource);
            FencedWriter<Connection> writer = fence.seal(lease, resource);
            Long seen = last(writer);
            acknowledged.add(append(writer, seen)); // alone with the resource: nobody else has this holder's writer yet
            newest.set(fence.attach(lease.grant(), resource)); // the database alone decides about the former ones
            int enough = acknowledged.size() + WRITERS;
            Await.until(() -> acknowledged.size() >= enough || unexpected.get() != null);
        }
        stop[0] = true;
        threads.shutdown();
        for (Future<?> each : running) {
            each.get();
        }
        assertThat(unexpected.get()).isNull();
        assertThat(ledger.ask("SELECT count(*) FROM chain WHERE resource = '" + resource + "'"))
                .isEqualTo(String.valueOf(acknowledged.size()));
        // the first row of each holder builds on the very last row of all holders before
        assertThat(ledger.ask("SELECT count(*) FROM (SELECT DISTINCT ON (token) * FROM chain c WHERE resource = '"
                        + resource
                        + "' ORDER BY token, id) first WHERE builds_on <> (SELECT coalesce(max(id), 0) FROM chain b"
                        + " WHERE b.resource = first.resource AND b.token < first.token)"))
                .isEqualTo("0");
    }

    private static void goOnUntilRefused(
            FencedWriter<Connection> writer,
            List<Long> acknowledged,
            AtomicReference<Throwable> unexpected,
            boolean[] stop) {
        try {
            while (!stop[0]) {
                try {
                    acknowledged.add(append(writer, last(writer)));
                } catch (BusyException e) {
                    // try the same again
                }
            }
        } catch (StaleTokenException e) {
            // a newer holder has sealed
        } catch (SQLException | RuntimeException e) {
            unexpected.set(e);
            stop[0] = true;
        }
    }

    private static Long last(FencedWriter<Connection> writer) throws SQLException {
        while (true) {
            try {
                return writer.call(c -> {
                    try (Statement statement = c.createStatement();
                            ResultSet result = statement.executeQuery("SELECT coalesce(max(id), 0) FROM chain WHERE"
                                    + " resource = '" + writer.resource() + "'")) {
                        result.next();
                        return result.getLong(1);
                    }
                });
            } catch (BusyException e) {
                // a read is tried again
            }
        }
    }

    private static Long append(FencedWriter<Connection> writer, Long buildsOn) throws SQLException {
        return writer.call(c -> {
            try (PreparedStatement statement = c.prepareStatement(
                    "INSERT INTO chain (resource, token, builds_on) VALUES (?, ?, ?) RETURNING id")) {
                statement.setString(1, writer.resource());
                statement.setLong(2, writer.grant().token().value());
                statement.setLong(3, buildsOn);
                try (ResultSet result = statement.executeQuery()) {
                    result.next();
                    return result.getLong(1);
                }
            }
        });
    }
}
