package dev.fence.properties;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** An operation on a thread of its own that stands inside its body until it is told to go on. Every wait is bounded. */
final class Standing<R> {

    private static final long LONGEST_WAIT_SECONDS = 30;
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "standing-in-a-body");
        thread.setDaemon(true);
        return thread;
    });

    private final CountDownLatch insideOrEnded = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final Future<R> result;
    private volatile boolean inside;
    private volatile boolean fails;

    /** @param operation is given what its body has to call where it shall stand */
    Standing(Function<Runnable, R> operation) {
        result = THREADS.submit(() -> {
            try {
                return operation.apply(this::stand);
            } finally {
                insideOrEnded.countDown();
            }
        });
        await(insideOrEnded);
    }

    /** False if the operation ended before it came to its body. */
    boolean isInside() {
        return inside;
    }

    /** Goes on with a failure, and waits for the end. */
    void fail() {
        fails = true;
        end();
    }

    R end() {
        goOn.countDown();
        try {
            return result.get(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("an operation did not end", e);
        }
    }

    private void stand() {
        inside = true;
        insideOrEnded.countDown();
        await(goOn);
        if (fails) {
            throw new Verdict.BodyFailed();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("nothing came for " + LONGEST_WAIT_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
