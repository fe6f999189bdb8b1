package dev.fence.chaos;

import dev.fence.BusyException;
import dev.fence.FenceException;
import dev.fence.FencedWriter;
import dev.fence.Lease;
import dev.fence.LeaseLostException;
import dev.fence.OutcomeUnknownException;
import dev.fence.StaleTokenException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The time of one holder: it seals, reads the head of the list once, and appends for as long as it is let. A second thread
 * asks the lease how it stands all the while.
 */
final class Tenure {

    private static final AtomicLong WRITES = new AtomicLong();
    private static final long CONFIRM_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

    private final Actor actor;
    private final Lease lease;
    private final Resource resource;
    private final SplittableRandom random;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile boolean ended;
    private long head = -1;
    private long lastConfirm = System.nanoTime() - CONFIRM_EVERY_NANOS;

    Tenure(Actor actor, Lease lease, Resource resource, SplittableRandom random) {
        this.actor = actor;
        this.lease = lease;
        this.resource = resource;
        this.random = random;
    }

    /** Works until the time is over, the lease is lost, a write was refused for good, or {@link #end} is called. */
    void work(long nanos) throws InterruptedException {
        Thread asking = new Thread(this::ask, "chaos-asking-" + lease.token());
        asking.setDaemon(true);
        asking.start();
        try {
            long until = System.nanoTime() + nanos;
            Optional<FencedWriter<Connection>> writer = seal(until);
            while (writer.isPresent() && goesOn(until) && write(writer.get())) {
                confirmSometimes();
                pause(2 + random.nextInt(40));
            }
        } finally {
            ended = true;
            over.countDown();
            asking.join();
        }
    }

    void end() {
        ended = true;
        over.countDown();
    }

    /** One more write, under the grant alone: nothing asks the lease, only the resource can refuse. */
    void writeLate() {
        if (head >= 0) {
            write(resource.fence().attach(lease.grant(), resource.name()));
        }
    }

    private boolean goesOn(long until) {
        return !ended && System.nanoTime() - until < 0;
    }

    private void ask() {
        while (!ended && actor.claims(lease)) {
            try {
                pause(10);
            } catch (InterruptedException e) {
                return;
            }
        }
        end();
    }

    private void pause(int millis) throws InterruptedException {
        over.await(millis, TimeUnit.MILLISECONDS);
    }

    private void confirmSometimes() {
        if (System.nanoTime() - lastConfirm >= CONFIRM_EVERY_NANOS) {
            lastConfirm = System.nanoTime();
            actor.confirm(lease);
        }
    }

    private Optional<FencedWriter<Connection>> seal(long until) throws InterruptedException {
        while (goesOn(until)) {
            confirmSometimes();
            try {
                FencedWriter<Connection> writer = resource.fence().seal(lease, resource.name());
                actor.note(What.SEALED, lease, "");
                head = writer.<Long, SQLException>call(resource::head);
                return Optional.of(writer);
            } catch (BusyException | OutcomeUnknownException e) {
                pause(50);
            } catch (StaleTokenException | LeaseLostException e) {
                return Optional.empty();
            } catch (FenceException | SQLException e) {
                actor.note(What.WRONG, lease, "sealing: " + e);
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    /** Whether to go on. */
    private boolean write(FencedWriter<Connection> writer) {
        String id = ProcessHandle.current().pid() + "-" + WRITES.incrementAndGet();
        try {
            head = writer.<Long, SQLException>call(
                    c -> resource.append(c, head, lease.token().value(), id));
            actor.note(What.APPLIED, lease, id);
            return true;
        } catch (BusyException e) {
            actor.note(What.REFUSED, lease, id + " BusyException");
            return true;
        } catch (StaleTokenException | LeaseLostException e) {
            actor.note(What.REFUSED, lease, id + " " + e.getClass().getSimpleName());
        } catch (OutcomeUnknownException e) {
            actor.note(What.UNKNOWN, lease, id);
            head = -1; // it may have become the head or not
        } catch (FenceException | SQLException e) {
            actor.note(What.REFUSED, lease, id + " " + e.getClass().getSimpleName());
            actor.note(What.WRONG, lease, "writing: " + e);
        }
        return false;
    }
}
