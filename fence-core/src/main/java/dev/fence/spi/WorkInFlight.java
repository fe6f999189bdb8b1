package dev.fence.spi;

import dev.fence.Lease;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Counts the work that was begun under a lease and has not ended. */
final class WorkInFlight {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition idle = lock.newCondition();
    private int running;

    Lease.Work begin() {
        add(1);
        AtomicBoolean ended = new AtomicBoolean();
        return () -> {
            if (ended.compareAndSet(false, true)) {
                add(-1);
            }
        };
    }

    /** Waits until nothing runs. An interrupt ends the wait and is kept for the caller. */
    boolean awaitIdle(Duration longest) {
        lock.lock();
        try {
            sleepUntilIdle(longest.toNanos());
            return running == 0;
        } finally {
            lock.unlock();
        }
    }

    private void sleepUntilIdle(long longest) {
        long left = longest;
        try {
            while (running > 0 && left > 0) {
                left = idle.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    boolean isIdle() {
        return awaitIdle(Duration.ZERO);
    }

    private void add(int delta) {
        lock.lock();
        try {
            running += delta;
            if (running == 0) {
                idle.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }
}
