package dev.fence;

/**
 * The resource side: remembers for each resource the newest holder it has seen, and refuses everybody older.
 *
 * <p><b>The protocol.</b> What a resource remembers is its <em>guard</em>: the grant that sealed it last.
 *
 * <ol>
 *   <li>{@link #create} makes the guard, once in a resource's life, bound to a source and a lease name.
 *   <li>{@link #seal} raises it to the grant of a live lease <em>before the holder's first read</em>. From the moment the
 *       seal is acknowledged no write of an older holder takes effect, whether or not the new one ever writes. What the new
 *       holder reads through its writer therefore stays true until it writes itself.
 *   <li>Every write checks, in one atomic step with the change, that the guard still carries the writer's own grant: the
 *       same source, lease name, token and holder.
 *   <li>{@link #attach} writes under a grant that was handed over. It never raises the guard.
 * </ol>
 *
 * <p>The idea of a token that the resource checks is from Lamport's and Gray's fencing of disks and is told for locks by
 * Kleppmann, "How to do distributed locking" (2016). That the guard is raised before the first read, and compared for
 * equality, is what closes the holes of "keep the highest token seen".
 *
 * <p>Implementations are safe for use by several threads.
 *
 * @param <C> what a body writes with, such as a database connection
 */
public interface Fence<C> {

    /**
     * Creates the guard of a resource, sealed by {@code lease}. A step of its own, so that a guard that vanished is noticed
     * instead of being made anew with whatever token comes along.
     *
     * @return false if the guard exists already, bound to the same source and lease name; it is left as it is
     * @throws LeaseLostException if the lease service did not confirm the lease during this call
     * @throws TokenSourceException if the guard belongs to another source or lease name, or a retired guard of this source
     *     carried a higher token
     * @throws BusyException if it could not be done in time; nothing changed
     * @throws OutcomeUnknownException if it may have been done
     */
    boolean create(Lease lease, String resource);

    /**
     * Raises the guard to the lease's grant and returns a writer under it. Sealing again with the same lease is a read.
     *
     * @throws StaleTokenException if a newer holder has sealed
     * @throws LeaseLostException if the lease is over; nothing was sent
     * @throws GuardMissingException if the resource was never {@linkplain #create created}
     * @throws TokenSourceException if guard and lease disagree about source, lease name or holder, or the source went back
     * @throws BusyException if writers of the previous holder did not end in time; nothing changed
     * @throws OutcomeUnknownException if it may have been done; sealing again is safe
     */
    FencedWriter<C> seal(Lease lease, String resource);

    /**
     * A writer under a grant that somebody else's lease sealed. Sends nothing; each write is checked like any other.
     */
    FencedWriter<C> attach(Grant grant, String resource);
}
