package dev.fence.etcd;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Bounded waits that an interrupt does not cut short: giving up a lease must not be left half done. The flag is kept. */
final class Waits {

    private Waits() {}

    /** A wait of at most {@code nanos}. */
    interface Waiting<T> {
        T within(long nanos) throws InterruptedException;
    }

    static <T> T through(Duration longest, Waiting<T> waiting) {
        long end = System.nanoTime() + longest.toNanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return waiting.within(Math.max(0, end - System.nanoTime()));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Whether {@code future} ended within {@code longest}, well or badly. */
    static boolean ended(CompletableFuture<?> future, Duration longest) {
        return through(longest, nanos -> {
            try {
                future.get(nanos, TimeUnit.NANOSECONDS);
                return true;
            } catch (ExecutionException e) {
                return true;
            } catch (TimeoutException e) {
                return false;
            }
        });
    }

    /** Has {@code handler} called when {@code answer} is there; it must not throw. */
    static <T> void then(
            CompletableFuture<T> answer, BiConsumer<? super @Nullable T, ? super @Nullable Throwable> handler) {
        CompletableFuture<T> unused = answer.whenComplete(handler);
    }

    /**
     * The outcome of a call that has a deadline of its own.
     *
     * @param longest somewhat more than that deadline, should the call outlive it
     * @throws CompletionException with the call's failure, or with a {@link TimeoutException}
     */
    static <T> T outcome(CompletableFuture<T> future, Duration longest) {
        if (!ended(future, longest)) {
            throw new CompletionException(new TimeoutException("no answer within " + longest));
        }
        return future.join();
    }
}
