package dev.fence;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** A wait for a lease on a thread of its own. Whoever completes the future otherwise, as by cancelling it, gives the wait up. */
final class AsyncAcquisition {

    private static final AtomicLong COUNT = new AtomicLong();

    private final CompletableFuture<Lease> future = new CompletableFuture<>();
    private final Interruptible waiting = new Interruptible();

    private AsyncAcquisition() {}

    static CompletableFuture<Lease> start(Leases leases, String name, Duration wait, LeaseSettings settings) {
        AsyncAcquisition acquisition = new AsyncAcquisition();
        // After a grant the wait is over and this does nothing.
        CompletableFuture<Lease> unused =
                acquisition.future.whenComplete((lease, failure) -> acquisition.waiting.interrupt());
        Thread thread = new Thread(
                () -> acquisition.run(leases, name, wait, settings), "fence-acquire-" + COUNT.incrementAndGet());
        thread.setDaemon(true);
        thread.start();
        return acquisition.future;
    }

    private void run(Leases leases, String name, Duration wait, LeaseSettings settings) {
        try {
            Lease lease = waiting.run(() -> leases.acquire(name, wait, settings));
            if (!future.complete(lease)) {
                lease.close(); // granted in the moment of cancelling: nobody has it
            }
        } catch (InterruptedException | RuntimeException | Error e) {
            future.completeExceptionally(e);
        }
    }
}
