package dev.fence.stress;

import dev.fence.BusyException;
import dev.fence.Lease;
import dev.fence.StaleTokenException;
import dev.fence.jdbc.JdbcWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** How long a new holder's seal takes while old ones write all the time. */
final class SealWait {

    private static final int WRITERS = 16;

    /** What the writers use, and how many have yet to take it up. */
    private static final class Era {

        final JdbcWriter writer;
        final CountDownLatch toCome = new CountDownLatch(WRITERS);

        Era(JdbcWriter writer) {
            this.writer = writer;
        }
    }

    private volatile Era newest;
    private volatile boolean over;

    /** Of each seal, ascending. */
    private final List<Double> millis = new ArrayList<>();

    private SealWait(JdbcWriter first) {
        this.newest = new Era(first);
    }

    static SealWait measure(Arena arena, int seals) throws Exception {
        String resource = arena.newResource("seal-wait");
        SealWait wait = new SealWait(sealed(arena, arena.nextLease(resource), resource));
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        List<Future<?>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            writers.add(threads.submit(wait::writeUntilOver));
        }
        for (int i = 0; i < seals; i++) {
            if (!wait.newest.toCome.await(1, TimeUnit.MINUTES)) {
                throw new IllegalStateException(wait.newest.toCome.getCount() + " writers do not come back");
            }
            Lease lease = arena.nextLease(resource);
            long start = System.nanoTime();
            JdbcWriter writer = sealed(arena, lease, resource);
            wait.millis.add((System.nanoTime() - start) / 1e6);
            wait.newest = new Era(writer);
        }
        wait.over = true;
        threads.shutdown();
        for (Future<?> writer : writers) {
            writer.get();
        }
        Collections.sort(wait.millis);
        return wait;
    }

    /** A writer that asks no lease: the database alone decides who is old. */
    private static JdbcWriter sealed(Arena arena, Lease lease, String resource) {
        arena.fence().seal(lease, resource);
        return arena.fence().attach(lease.grant(), resource);
    }

    private @Nullable Void writeUntilOver() throws SQLException {
        Era known = null;
        while (!over) {
            Era era = newest;
            if (era != known) {
                era.toCome.countDown();
                known = era;
            }
            writeFor5Millis(era.writer);
        }
        return null;
    }

    private static void writeFor5Millis(JdbcWriter writer) throws SQLException {
        try {
            writer.write(SealWait::sleep);
        } catch (StaleTokenException | BusyException e) {
            // the next one is taken up
        }
    }

    private static void sleep(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_sleep(0.005)");
        }
    }

    private double quantile(double share) {
        return millis.get(Math.min(millis.size() - 1, (int) (millis.size() * share)));
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "seal with %d old writers of 5 ms: p50 %.1f ms, p99 %.1f ms, max %.1f ms (%d seals)",
                WRITERS,
                quantile(0.5),
                quantile(0.99),
                quantile(1),
                millis.size());
    }
}
