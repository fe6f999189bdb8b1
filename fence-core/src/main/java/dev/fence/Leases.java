package dev.fence;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * A source of leases: one session of this process at a lease service, whose fencing tokens only rise.
 *
 * <p>Safe for use by several threads; one instance serves a whole process. Waiters for one name are served in the order in
 * which they asked, across all processes.
 */
public interface Leases extends AutoCloseable {

    /** The configured name of who counts the tokens. Tokens of two sources are never compared. */
    String source();

    /**
     * Waits for the lease and returns it once the service confirmed it. An attempt that ends in an exception leaves nothing
     * behind at the service.
     *
     * @param name 1 to 255 UTF-8 bytes, no control characters, compared byte for byte
     * @param wait the longest wait, from zero to 365 days
     * @throws LeaseTimeoutException if it was not granted within {@code wait}; names the present holder
     * @throws LeaseLostException if the session ended while waiting, or this source is closed
     * @throws BusyException if the service could not be reached
     * @throws InterruptedException if the thread was interrupted; the place in the queue is given up
     * @throws IllegalArgumentException if an argument is out of its range, before any I/O
     */
    Lease acquire(String name, Duration wait, LeaseSettings settings) throws InterruptedException;

    /** {@link #acquire(String, Duration, LeaseSettings)} with {@link LeaseSettings#DEFAULTS}. */
    default Lease acquire(String name, Duration wait) throws InterruptedException {
        return acquire(name, wait, LeaseSettings.DEFAULTS);
    }

    /**
     * The lease if nobody else holds or awaits it, else empty, without waiting for anybody.
     *
     * @throws LeaseLostException if the session ended meanwhile, or this source is closed
     * @throws BusyException if the service could not be reached
     * @throws InterruptedException if the thread was interrupted
     * @throws IllegalArgumentException if an argument is out of its range, before any I/O
     */
    Optional<Lease> tryAcquire(String name, LeaseSettings settings) throws InterruptedException;

    /** {@link #tryAcquire(String, LeaseSettings)} with {@link LeaseSettings#DEFAULTS}. */
    default Optional<Lease> tryAcquire(String name) throws InterruptedException {
        return tryAcquire(name, LeaseSettings.DEFAULTS);
    }

    /**
     * {@link #acquire(String, Duration, LeaseSettings)} without blocking the caller; one thread waits for each call. Cancelling
     * the future, or completing it otherwise, gives up the place in the queue; a grant of that moment is given back.
     *
     * @return fails with what {@code acquire} throws
     */
    default CompletableFuture<Lease> acquireAsync(String name, Duration wait, LeaseSettings settings) {
        return AsyncAcquisition.start(this, name, wait, settings);
    }

    /**
     * Waits for the leases of all names, in one order that is the same for everybody, and returns them together. An attempt that
     * ends in an exception leaves nothing behind: what was granted already is given back at once.
     *
     * @param names 1 to 100 lease names
     * @param wait the longest wait for all of them together
     * @throws LeaseTimeoutException if one was not granted in time; names its holder
     * @throws LeaseLostException if one ended before the last was granted, or this source is closed
     * @throws BusyException if the service could not be reached
     * @throws InterruptedException if the thread was interrupted
     * @throws IllegalArgumentException if an argument is out of its range, before any I/O
     */
    default LeaseSet acquireAll(Set<String> names, Duration wait, LeaseSettings settings) throws InterruptedException {
        return LeaseSet.acquire(this, names, wait, settings);
    }

    /** {@link #acquireAll(Set, Duration, LeaseSettings)} with {@link LeaseSettings#DEFAULTS}. */
    default LeaseSet acquireAll(Set<String> names, Duration wait) throws InterruptedException {
        return acquireAll(names, wait, LeaseSettings.DEFAULTS);
    }

    /**
     * Who holds the lease, as the service says during this call. It may have changed by the time it is read: no answer permits
     * anything.
     *
     * @param name 1 to 255 UTF-8 bytes, no control characters
     * @return empty if nobody does
     * @throws BusyException if the service could not be reached
     * @throws UnsupportedStoreException if this source does not tell
     */
    default Optional<Grant> holder(String name) {
        throw new UnsupportedStoreException("source \"" + source() + "\" does not tell who holds a lease", null);
    }

    /** Closes every lease in the order that {@link Lease} describes, then the session. Bounded; closing twice is harmless. */
    @Override
    void close();
}
