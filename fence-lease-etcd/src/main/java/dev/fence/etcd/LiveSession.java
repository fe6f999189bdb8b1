package dev.fence.etcd;

import dev.fence.BusyException;
import dev.fence.LeaseLostException;
import dev.fence.LossReason;
import dev.fence.spi.TimeSource;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The session in use, and another once that is over: opened by whoever needs it first. */
final class LiveSession {

    private final EtcdSettings settings;
    private final EtcdClient client;
    private final Workers workers;
    private final TimeSource time;
    private final ReentrantLock opening = new ReentrantLock();
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile EtcdSession session;
    /** Under the lock. */
    private @Nullable Failure lastFailure;

    private record Failure(long nanos, BusyException reason) {}

    /** Opens the first. */
    LiveSession(EtcdSettings settings, EtcdClient client, Workers workers, TimeSource time) {
        this.settings = settings;
        this.client = client;
        this.workers = workers;
        this.time = time;
        this.session = SessionOpening.openFirst(settings, client, workers, time);
    }

    /**
     * The session in use, which another is opened for if it is over.
     *
     * @throws BusyException if it could not be opened
     * @throws LeaseLostException if this source of leases was closed
     */
    EtcdSession live(String leaseName) {
        long asked = System.nanoTime();
        EtcdSession now = session;
        if (!closing.get() && !now.isOver()) {
            return now;
        }
        opening.lock();
        try {
            if (closing.get()) {
                throw new LeaseLostException(
                        leaseName, new LossReason(LossReason.Kind.CLOSED, "this source of leases was closed"));
            }
            if (session.isOver()) {
                session = another(asked);
            }
            return session;
        } finally {
            opening.unlock();
        }
    }

    private EtcdSession another(long asked) {
        Failure failure = lastFailure;
        if (failure != null && failure.nanos() - asked > 0) {
            // Another caller tried while this one waited for its turn: a hundred callers must not try one by one. It is
            // no failure of its own, or callers who come back at once would keep each other from trying.
            throw new BusyException(String.valueOf(failure.reason().getMessage()), failure.reason());
        }
        try {
            return SessionOpening.openNext(settings, client, workers, time);
        } catch (BusyException e) {
            lastFailure = new Failure(System.nanoTime(), e);
            throw e;
        }
    }

    /** The one in use, over or not. */
    EtcdSession last() {
        return session;
    }

    /** The last one there will be, once closing has begun: not missing one that is being opened. */
    EtcdSession lastAfterAll() {
        opening.lock();
        try {
            return session;
        } finally {
            opening.unlock();
        }
    }

    boolean isClosing() {
        return closing.get();
    }

    /** No other is opened from now on; false if that was so already. */
    boolean beginClosing() {
        return closing.compareAndSet(false, true);
    }
}
