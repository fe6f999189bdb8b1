package dev.fence.effects;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** How time passes: for real, or in a simulation. */
interface Patience {

    Patience REAL = new Real();

    void pause(Duration duration) throws InterruptedException;

    /**
     * What {@code code} returns, if it does so in time.
     *
     * @throws TimeoutException if it took too long; it may still be at it
     * @throws InterruptedException if the caller was interrupted; it may still be at it
     * @throws ExecutionException what it threw
     */
    <T> T await(String what, Duration limit, Callable<T> code)
            throws TimeoutException, InterruptedException, ExecutionException;

    /**
     * Runs a provider's code on a thread of its own, since a time limit that the provider's code must keep is none. The thread is
     * interrupted when the time is up, and ends when the provider's code does.
     */
    final class Real implements Patience {

        private Real() {}

        @Override
        public void pause(Duration duration) throws InterruptedException {
            TimeUnit.NANOSECONDS.sleep(duration.toNanos());
        }

        @Override
        public <T> T await(String what, Duration limit, Callable<T> code)
                throws TimeoutException, InterruptedException, ExecutionException {
            FutureTask<T> task = new FutureTask<>(code);
            Thread thread = new Thread(task, "fence-effects-" + what);
            thread.setDaemon(true);
            thread.start();
            try {
                return task.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            } finally {
                task.cancel(true);
            }
        }
    }
}
