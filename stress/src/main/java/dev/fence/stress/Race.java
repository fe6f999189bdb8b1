package dev.fence.stress;

import dev.fence.BusyException;
import dev.fence.Lease;
import dev.fence.OutcomeUnknownException;
import dev.fence.StaleTokenException;
import dev.fence.stress.Design.Holder;
import dev.fence.stress.Design.Stale;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Holders of one resource follow each other, and each goes on until it is refused. With the same seed all pause in the same
 * places; what the threads and the server make of it is theirs.
 */
final class Race {

    /** However slow the machine: fewer prove little. */
    private static final int LEAST_WRITES = 30;

    private static final int LEAST_SEALS = 6;

    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final Duration LONGEST_END = Duration.ofSeconds(60);
    private static final AtomicInteger THREADS = new AtomicInteger();

    private final Arena arena;
    private final Design design;
    private final long seed;
    private final AtomicLong ids = new AtomicLong();
    private final Set<Long> applied = ConcurrentHashMap.newKeySet();
    private final Set<Long> refused = ConcurrentHashMap.newKeySet();
    private final Queue<String> unexpected = new ConcurrentLinkedQueue<>();
    private final AtomicInteger sealed = new AtomicInteger();
    private volatile boolean over;

    private Race(Arena arena, Design design, long seed) {
        this.arena = arena;
        this.design = design;
        this.seed = seed;
    }

    /** Lasts as long as told, or longer on a slow machine. */
    static Verdict run(Arena arena, Design design, long seed, Duration length) throws Exception {
        return new Race(arena, design, seed).run(length);
    }

    private Verdict run(Duration length) throws Exception {
        arena.witness().events(); // of other races
        String resource = arena.newResource(design.name());
        ExecutorService holders = Executors.newCachedThreadPool(Race::thread);
        Pauses pauses = new Pauses(seed);
        long start = System.nanoTime();
        for (int n = 1; goesOn(System.nanoTime() - start, length); n++) {
            Lease lease = arena.nextLease(resource);
            Pauses ofHolder = new Pauses(seed + n);
            holders.execute(() -> live(lease, resource, ofHolder));
            pauses.betweenHolders();
        }
        over = true;
        holders.shutdown();
        if (!holders.awaitTermination(LONGEST_END.toMillis(), TimeUnit.MILLISECONDS)) {
            unexpected.add("a holder did not end within " + LONGEST_END);
            holders.shutdownNow();
        }
        Verdict verdict = Verdict.of(arena.witness().events(), applied, refused);
        List<String> violations = new ArrayList<>(verdict.violations());
        violations.addAll(unexpected);
        return new Verdict(verdict.commits(), verdict.seals(), violations);
    }

    private boolean goesOn(long nanos, Duration length) {
        boolean enough = nanos >= length.toNanos() && applied.size() >= LEAST_WRITES && sealed.get() >= LEAST_SEALS;
        return !enough && nanos < LONGEST.toNanos() && unexpected.isEmpty();
    }

    private void live(Lease lease, String resource, Pauses pauses) {
        try {
            Holder holder = design.sealing().seal(arena, lease, resource);
            sealed.incrementAndGet();
            while (!over && writes(holder, pauses)) {
                pauses.perhaps();
            }
        } catch (StaleTokenException e) {
            // a newer one was faster to seal
        } catch (Exception e) {
            if (!isNotNow(e)) {
                unexpected.add("token " + lease.grant().token() + ": " + e);
            }
        }
    }

    /** One write; false if the holder was refused for good. */
    private boolean writes(Holder holder, Pauses pauses) throws Exception {
        long id = ids.incrementAndGet();
        try {
            holder.step(id, pauses);
            applied.add(id);
            return true;
        } catch (OutcomeUnknownException e) {
            return true; // either is right
        } catch (StaleTokenException | Stale e) {
            refused.add(id);
            return false;
        } catch (Exception e) {
            refused.add(id);
            if (isNotNow(e)) {
                return true;
            }
            if (isOfTheGuard(e)) {
                return false;
            }
            throw e;
        }
    }

    /** A collision, which changes nothing: deadlock, serialization failure, a wait that was too long. */
    private static boolean isNotNow(Exception e) {
        String state = e instanceof SQLException sql && sql.getSQLState() != null ? sql.getSQLState() : "";
        return e instanceof BusyException || state.startsWith("40") || state.equals("55P03");
    }

    /** A protected table refuses by itself. */
    private static boolean isOfTheGuard(Exception e) {
        return e instanceof SQLException sql && "ZF002".equals(sql.getSQLState());
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "stress-holder-" + THREADS.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }
}
