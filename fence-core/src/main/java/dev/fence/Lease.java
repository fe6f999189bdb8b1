package dev.fence;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The right to work under a name, granted by a lease service, ended by {@link #close()} or by expiry.
 *
 * <p><b>What it is not.</b> A lease says who <em>was</em> given the right. A process that is paused for longer than the
 * lease lives wakes up, may still see {@link LeaseState.Held} in a variable it read before, and goes on. That is why a
 * lease alone protects nothing: {@link Fence#seal} turns it into a {@link FencedWriter}, and the resource refuses the
 * writer as soon as a newer holder has sealed.
 *
 * <p><b>Validity.</b> {@link #state()} and {@link #remaining()} are computed when asked, from the moment <em>before</em>
 * the last confirmed heartbeat was sent; they depend on no thread having run. The wall clock can cast doubt
 * ({@link LeaseState.Uncertain}) but never extends a lease.
 *
 * <p><b>Ownership.</b> A lease is a value: any thread may use or close it. It is not reentrant and not bound to a thread;
 * nested code is handed the lease. Asking again for the same name waits, also within one process.
 *
 * <p><b>Closing.</b> New work is refused, loss listeners are told, work in flight may end within the grace time, and only
 * then the lease is given back. If work is still running, the lease is not given back before it ends or one full time to
 * live has passed. Closing twice is one release. Closing never throws: what came of it is what {@link #release()} returns.
 *
 * <p>All methods are safe for use by several threads. Only {@link #confirm()}, {@link #release()} and {@link #close()}
 * talk to the service, and all three are bounded.
 */
public interface Lease extends AutoCloseable {

    /** The grant of this acquisition: source, lease name, token and holder. */
    Grant grant();

    /** The name under which the lease was acquired. */
    default String name() {
        return grant().leaseName();
    }

    /** The fencing token of this acquisition. */
    default FencingToken token() {
        return grant().token();
    }

    /** Held, uncertain or lost, as of this call. */
    LeaseState state();

    /** How long the lease is good for without another heartbeat: zero once it is lost, never negative. */
    Duration remaining();

    /**
     * Asks the service whether this very acquisition holds the lease, and returns only if it said yes during this call.
     *
     * @throws LeaseLostException if the lease is over, by the service's word or by our own clock
     * @throws BusyException if the service could not be asked in time; nothing is known anew
     */
    void confirm();

    /**
     * Has {@code listener} called exactly once, when the lease ends, whatever ends it, also {@link LossReason.Kind#CLOSED}.
     * It runs on a thread of its own; on a lease that is already over it runs at once. Exceptions of it are logged.
     */
    void onLoss(Consumer<LossReason> listener);

    /**
     * Registers work in flight, so that closing waits for it. Fenced writers do this by themselves.
     *
     * @return to be closed when the work has ended; closing it twice is harmless
     * @throws LeaseLostException if the lease is over or being closed
     */
    Work begin();

    /**
     * Runs {@code task} on the calling thread as work in flight, and interrupts it when the lease is over (noticed within 0.2 s)
     * or when {@code longest} has passed. Work that pays no heed to interrupts goes on: only the resource can refuse its writes.
     *
     * @param longest 1 ms to 365 days; {@link #remaining()} is what the lease is good for without another heartbeat
     * @return what the task returned, also after an interrupt
     * @throws X what the task threw, also after an interrupt
     * @throws LeaseLostException if the lease was over before, or was interrupted because it is
     * @throws TimeoutException if the task was interrupted because it took too long
     * @throws InterruptedException if somebody else interrupted the thread
     */
    default <R extends @Nullable Object, X extends Exception> R run(Duration longest, Task<R, X> task)
            throws X, InterruptedException, TimeoutException {
        return BoundedTask.run(this, longest, task);
    }

    /** Closes the lease and tells what came of it. Called again, or from several threads, it gives the same answer. */
    ReleaseOutcome release();

    /** {@link #release()} for try-with-resources. */
    @Override
    default void close() {
        release();
    }

    /** What {@link #run} runs. */
    @FunctionalInterface
    interface Task<R extends @Nullable Object, X extends Exception> {
        R run() throws X, InterruptedException;
    }

    /** A piece of work that closing a lease waits for. */
    interface Work extends AutoCloseable {
        @Override
        void close();
    }
}
