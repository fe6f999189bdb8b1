package dev.fence.s3;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Runs several actors, one at a time. Whenever one calls {@link #step()}, the seed decides who goes on: so every interleaving
 * of their requests can come up, each pause can be of any length, and the same seed gives the same run.
 */
final class Timeline {

    private static final long LONGEST_SECONDS = 60;
    private static final AtomicInteger THREADS = new AtomicInteger();
    private static final ThreadLocal<Semaphore> OWN = new ThreadLocal<>();
    private static final ExecutorService POOL = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "timeline-" + THREADS.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    });

    /** Something that acts; may throw anything, which fails the run. */
    interface Actor {
        void act();
    }

    private final Random random;
    private final List<Semaphore> alive = new ArrayList<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private boolean started;

    Timeline(long seed) {
        this.random = new Random(seed);
    }

    /** A choice of this run: 0 to {@code bound - 1}. */
    int choose(int bound) {
        return random.nextInt(bound);
    }

    void run(List<Actor> actors) {
        CountDownLatch ended = new CountDownLatch(actors.size());
        for (Actor actor : actors) {
            Semaphore turn = new Semaphore(0);
            alive.add(turn);
            POOL.execute(() -> {
                await(turn);
                OWN.set(turn);
                try {
                    actor.act();
                } catch (Throwable t) {
                    failure.compareAndSet(null, t);
                } finally {
                    OWN.remove();
                    alive.remove(turn);
                    ended.countDown();
                    handOver();
                }
            });
        }
        started = true;
        handOver();
        try {
            if (!ended.await(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("the actors did not end");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            started = false;
        }
        if (failure.get() != null) {
            throw new AssertionError("an actor failed", failure.get());
        }
    }

    /** Here another actor may go on. Does nothing outside of a run. */
    void step() {
        Semaphore me = OWN.get();
        if (!started || me == null) {
            return;
        }
        Semaphore next = alive.get(choose(alive.size()));
        if (next != me) {
            next.release();
            await(me);
        }
    }

    private void handOver() {
        if (!alive.isEmpty()) {
            alive.get(choose(alive.size())).release();
        }
    }

    private static void await(Semaphore turn) {
        try {
            if (!turn.tryAcquire(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("nobody handed over");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
