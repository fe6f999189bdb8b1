package dev.fence.spi;

import dev.fence.BusyException;
import dev.fence.Grant;
import dev.fence.LeaseLostException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

/** What a {@link ManagedLease} needs from its lease service. Calls are bounded and not cut short by an interrupt. */
public interface LeaseBackend {

    /**
     * Returns if the service said during this call that {@code grant} holds its lease.
     *
     * @throws LeaseLostException if it said no
     * @throws BusyException if it did not say
     */
    void confirm(Grant grant);

    /**
     * Removes the record of {@code grant}, and of no other, in one conditional step.
     *
     * @return whether there was such a record
     * @throws BusyException if it is not known whether it was removed; it may be asked again
     */
    boolean release(Grant grant);

    /** How long the service keeps a lease whose holder fell silent. */
    Duration ttl();

    /** Runs short tasks late; ends with the session. */
    ScheduledExecutorService timer();

    /** Runs what may block, each task on a thread of its own, so that one that blocks stops no other. */
    Executor listeners();
}
