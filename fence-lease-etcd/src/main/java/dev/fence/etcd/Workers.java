package dev.fence.etcd;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The threads of one {@link EtcdLeases}, all daemons, all named {@code fence-etcd-…}: one for the network, one for heartbeats,
 * one for whatever else is late, and one for each task that may block.
 */
final class Workers implements AutoCloseable {

    private static final AtomicLong COUNT = new AtomicLong();

    private final ScheduledExecutorService heartbeats = scheduler("heartbeat");
    private final ScheduledExecutorService timer = scheduler("timer");
    private final ThreadPoolExecutor blocking = perTask("task");

    static ThreadFactory named(String role) {
        return task -> {
            Thread thread = new Thread(task, "fence-etcd-" + role + "-" + COUNT.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Nothing but heartbeats: what an event listener does on {@link #timer} must not delay them. */
    ScheduledExecutorService heartbeats() {
        return heartbeats;
    }

    ScheduledExecutorService timer() {
        return timer;
    }

    /**
     * A thread for each task, so that one that blocks stops no other; one that is free is taken first, and ends after some
     * seconds without work, or when it is {@linkplain #keepNone not kept}.
     */
    static ThreadPoolExecutor perTask(String role) {
        return new ThreadPoolExecutor(0, Integer.MAX_VALUE, 5, TimeUnit.SECONDS, new SynchronousQueue<>(), named(role));
    }

    /** From now on each thread ends with its task. More tasks may come: what is closed still tells its listeners. */
    static void keepNone(ThreadPoolExecutor perTask) {
        perTask.setKeepAliveTime(0, TimeUnit.SECONDS);
    }

    Executor blocking() {
        return blocking;
    }

    void later(Duration delay, Runnable task) {
        Future<?> unused = timer.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        heartbeats.shutdownNow();
        timer.shutdownNow();
        keepNone(blocking);
    }

    private static ScheduledExecutorService scheduler(String role) {
        // What comes after the close is dropped, not thrown at whoever closes a lease late.
        ScheduledThreadPoolExecutor scheduler =
                new ScheduledThreadPoolExecutor(1, named(role), new ThreadPoolExecutor.DiscardPolicy());
        scheduler.setRemoveOnCancelPolicy(true);
        return scheduler;
    }
}
