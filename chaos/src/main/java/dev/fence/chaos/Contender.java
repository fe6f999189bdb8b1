package dev.fence.chaos;

import dev.fence.Lease;
import dev.fence.Leases;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Asks for one lease again and again, works under it, and gives it back; sometimes writes once more after the end. */
final class Contender implements Runnable {

    private final Actor actor;
    private final Leases leases;
    private final String lease;
    private final Resource resource;
    private final SplittableRandom random;
    private final CountDownLatch stop;

    Contender(
            Actor actor, Leases leases, String lease, Resource resource, SplittableRandom random, CountDownLatch stop) {
        this.actor = actor;
        this.leases = leases;
        this.lease = lease;
        this.resource = resource;
        this.random = random;
        this.stop = stop;
    }

    @Override
    public void run() {
        try {
            while (!stop.await(5 + random.nextInt(150), TimeUnit.MILLISECONDS)) {
                Optional<Lease> granted = ask();
                if (granted.isPresent()) {
                    hold(granted.get());
                }
            }
        } catch (InterruptedException | RuntimeException e) {
            actor.note(What.WRONG, lease, 0, "contending: " + e);
        }
    }

    private Optional<Lease> ask() throws InterruptedException {
        int dice = random.nextInt(100);
        if (dice < 65) {
            return actor.acquire(leases, lease, Duration.ofMillis(random.nextInt(8_000)));
        }
        return dice < 80
                ? actor.tryAcquire(leases, lease)
                : actor.acquireOrCancel(leases, lease, Duration.ofMillis(random.nextInt(2_000)));
    }

    private void hold(Lease granted) throws InterruptedException {
        Tenure tenure = new Tenure(actor, granted, resource, random.split());
        int longest = random.nextInt(100) < 85 ? 600 : 4_000;
        tenure.work(TimeUnit.MILLISECONDS.toNanos(20 + random.nextInt(longest)));
        if (random.nextInt(100) < 30) {
            tenure.writeLate();
        }
        actor.release(granted);
        if (random.nextInt(100) < 30) {
            tenure.writeLate();
        }
    }
}
