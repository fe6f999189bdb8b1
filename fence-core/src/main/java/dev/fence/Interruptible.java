package dev.fence;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What one thread runs and another may cut short. The interrupt reaches that and nothing which the thread does afterwards:
 * one that comes too late is dropped, not left for the next blocking call to stumble over.
 */
final class Interruptible {

    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Thread running;
    private boolean interrupted;

    /** What may be interrupted. */
    @FunctionalInterface
    interface Section<R extends @Nullable Object, X extends Exception> {
        R run() throws X, InterruptedException;
    }

    /** @throws InterruptedException also if {@link #interrupt} came before */
    <R extends @Nullable Object, X extends Exception> R run(Section<R, X> section) throws X, InterruptedException {
        enter();
        try {
            return section.run();
        } finally {
            leave();
        }
    }

    /** Interrupts what runs, or what will. */
    void interrupt() {
        lock.lock();
        try {
            interrupted = true;
            Thread thread = running;
            if (thread != null) {
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    private void enter() throws InterruptedException {
        lock.lock();
        try {
            if (interrupted) {
                throw new InterruptedException("told to end before it began");
            }
            running = Thread.currentThread();
        } finally {
            lock.unlock();
        }
    }

    private void leave() {
        // Under the lock: an interrupt comes before this and is cleared here, or finds nothing to interrupt.
        lock.lock();
        try {
            running = null;
            if (interrupted) {
                Thread.interrupted();
            }
        } finally {
            lock.unlock();
        }
    }
}
