package dev.fence.s3;

import dev.fence.BusyException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Several PUTs under one condition, sent at one moment by threads that end with the race. */
final class ProbeRace implements AutoCloseable {

    static final int RACERS = 8;
    static final int ROUNDS = 12;

    /**
     * How a round ended.
     *
     * @param winners the content of each write that was acknowledged
     */
    record Finish(List<String> winners) {}

    private static final AtomicInteger THREADS = new AtomicInteger();

    private final ObjectStore store;
    private final ExecutorService racers = Executors.newFixedThreadPool(RACERS, task -> {
        Thread thread = new Thread(task, "fence-s3-probe-" + THREADS.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    });

    ProbeRace(ObjectStore store) {
        this.store = store;
    }

    Finish run(String key, ObjectStore.Condition condition) {
        CountDownLatch ready = new CountDownLatch(RACERS);
        List<Callable<ObjectStore.Put>> writes = new ArrayList<>();
        for (int i = 0; i < RACERS; i++) {
            byte[] bytes = Probe.bytes(content(i));
            writes.add(() -> {
                ready.countDown();
                ready.await(1, TimeUnit.SECONDS); // who comes late races all the same
                return store.put(key, bytes, condition);
            });
        }
        try {
            List<Future<ObjectStore.Put>> answers = racers.invokeAll(writes);
            List<String> winners = new ArrayList<>();
            for (int i = 0; i < RACERS; i++) {
                if (answers.get(i).get() instanceof ObjectStore.Put.Stored) {
                    winners.add(content(i));
                }
            }
            return new Finish(winners);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BusyException("interrupted while probing the store", e);
        } catch (ExecutionException e) {
            throw new BusyException("the probe could not race its writes", e);
        }
    }

    private static String content(int racer) {
        return "racer " + racer;
    }

    @Override
    public void close() {
        racers.shutdownNow();
    }
}
