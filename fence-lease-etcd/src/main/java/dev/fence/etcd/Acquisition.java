package dev.fence.etcd;

import dev.fence.FencingToken;
import dev.fence.Grant;
import dev.fence.LeaseLostException;
import dev.fence.LossReason;
import dev.fence.UnsupportedStoreException;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.TxnResponse;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One way through the queue of a name, from the first request to the grant or to the removal of every trace.
 *
 * <p>It queues up here, stands in the queue as a {@link QueueWait}, and leaves it by a {@link Departure}.
 *
 * <p>Nothing here blocks. Requests are sent and answers handled under the lock, which nobody holds while waiting for either.
 */
final class Acquisition {

    private enum Stage {
        /** The own key may be there or not. */
        QUEUEING,
        /** The own key is there. */
        WAITING,
        GRANTED,
        OVER
    }

    private final EtcdSession session;
    private final String leaseName;
    private final QueueRequests.Place place;
    private final boolean mayWait;
    private final UUID holder = Grant.newHolder();
    private final CompletableFuture<Boolean> placed = new CompletableFuture<>();
    private final CompletableFuture<Optional<HeldKey>> granted = new CompletableFuture<>();

    private final ReentrantLock lock = new ReentrantLock();
    private Stage stage = Stage.QUEUEING;
    /** Whether some request to queue up went unanswered and may still come to the service. */
    private boolean unanswered;
    /** Ends when the last request to queue up is answered (true) or given up (false). */
    private CompletableFuture<Boolean> lastRequest = CompletableFuture.completedFuture(true);

    private long ownFloor;
    private long createRevision;
    private int failures;
    private @Nullable QueueWait waiting;
    private CompletableFuture<String> departure = CompletableFuture.completedFuture(Departure.UNKNOWN);

    Acquisition(EtcdSession session, String leaseName, QueueRequests.Place place, boolean mayWait) {
        this.session = session;
        this.leaseName = leaseName;
        this.place = place;
        this.mayWait = mayWait;
    }

    /** Whether it was first at once; fails like {@link #granted}. */
    CompletableFuture<Boolean> placed() {
        return placed;
    }

    /** The grant; empty if it is taken and this one may not wait. */
    CompletableFuture<Optional<HeldKey>> granted() {
        return granted;
    }

    void start() {
        locked(this::enqueue);
    }

    /**
     * Gives up the place, unless it is granted already.
     *
     * @return ends when every trace is removed, with who is first now in words for people; empty if it is granted
     */
    Optional<CompletableFuture<String>> leave() {
        lock.lock();
        try {
            return stage == Stage.GRANTED ? Optional.empty() : Optional.of(leaveAs(null));
        } finally {
            lock.unlock();
        }
    }

    /** The session is over: at the service all its keys go with it. */
    void sessionEnded(LossReason reason) {
        locked(() -> {
            if (stage != Stage.GRANTED) {
                end(new LeaseLostException(leaseName, reason));
            }
        });
    }

    /** The session is about to end, but maybe not at the service. */
    CompletableFuture<?> sessionCloses(LossReason reason) {
        lock.lock();
        try {
            return stage == Stage.GRANTED
                    ? CompletableFuture.completedFuture(null)
                    : leaveAs(new LeaseLostException(leaseName, reason));
        } finally {
            lock.unlock();
        }
    }

    private void enqueue() {
        if (stage != Stage.QUEUEING) {
            return;
        }
        QueueValue value =
                new QueueValue(session.floor(), holder, session.settings().label());
        CompletableFuture<Boolean> answered = new CompletableFuture<>();
        lastRequest = answered;
        Waits.then(
                session.client()
                        .txn(QueueRequests.enqueue(place, value, session.id(), !mayWait), session.callTimeout()),
                (reply, failure) -> {
                    locked(() -> enqueued(value.floor(), reply, failure));
                    answered.complete(failure == null || !Failures.isUnanswered(failure));
                });
    }

    private void enqueued(long floor, @Nullable TxnResponse reply, @Nullable Throwable failure) {
        if (failure != null && Failures.isSessionGone(failure)) {
            session.revoked("it has no such session");
            return;
        }
        if (stage != Stage.QUEUEING) {
            return;
        }
        if (failure != null && !Failures.isUnanswered(failure)) {
            RuntimeException refused = session.client().explain("queueing for lease \"" + leaseName + "\"", failure);
            if (unanswered) {
                throw refused; // an earlier request may have put the key
            }
            end(refused);
            return;
        }
        if (reply == null) {
            unanswered |= failure == null || !Failures.isTokenRefused(failure); // that one did nothing
            session.workers().later(session.pause(failures++), () -> locked(this::enqueue));
            return;
        }
        if (reply.getSucceeded()) {
            long revision = reply.getHeader().getRevision();
            queued(floor, revision).decide(QueueRequests.read(reply, 1), true, revision);
            return;
        }
        Optional<KeyValue> own = QueueRequests.readOne(reply, 0);
        if (own.isPresent()) {
            // An earlier request was applied and its answer lost.
            long floorThen = QueueValue.parse(own.get().getValue()).floor();
            queued(floorThen, own.get().getCreateRevision()).look();
            return;
        }
        long floorNow = QueueRequests.readOne(reply, 1)
                .map(kv -> QueueValue.parseFloor(kv.getValue()))
                .orElse(0L);
        if (floorNow < floor) {
            throw new UnsupportedStoreException(
                    "the token floor fell from " + floor + " to " + floorNow + ": tokens would be given twice", null);
        }
        if (floorNow > floor) {
            session.floor(floorNow);
            enqueue();
        } else {
            if (unanswered) {
                // An earlier request may still come, and find the queue empty.
                CompletableFuture<String> unused = leaveAs(null);
            }
            stop(Stage.OVER);
            placed.complete(false);
            granted.complete(Optional.empty());
        }
    }

    private QueueWait queued(long floor, long revision) {
        ownFloor = floor;
        createRevision = revision;
        stage = Stage.WAITING;
        waiting = new QueueWait(session, place, revision, this::locked, new QueueWait.Outcome() {
            @Override
            public void first(long readRevision) {
                grant(readRevision);
            }

            @Override
            public void behindSomebody() {
                placed.complete(false);
            }

            @Override
            public void ownKeyIsGone(boolean sessionIsThere) {
                Acquisition.this.ownKeyIsGone(sessionIsThere);
            }
        });
        return waiting;
    }

    private void ownKeyIsGone(boolean sessionIsThere) {
        if (sessionIsThere) {
            throw new LeaseLostException(
                    leaseName,
                    new LossReason(LossReason.Kind.REMOVED, "its place in the queue was deleted at the service"));
        } else {
            session.revoked("its session key and its place in a queue are gone");
        }
    }

    private void grant(long readRevision) {
        long token;
        try {
            token = Math.addExact(ownFloor, createRevision);
        } catch (ArithmeticException e) {
            throw new UnsupportedStoreException(
                    "the token floor " + ownFloor + " and revision " + createRevision
                            + " together exceed the largest token: no higher one can ever be given",
                    e);
        }
        Grant grant = new Grant(session.settings().source(), leaseName, new FencingToken(token), holder);
        stop(Stage.GRANTED);
        granted.complete(Optional.of(new HeldKey(session, grant, place, createRevision, readRevision, unanswered)));
        placed.complete(true);
    }

    private CompletableFuture<String> leaveAs(@Nullable RuntimeException why) {
        boolean over = stage == Stage.OVER;
        boolean mayComeLate = unanswered || !lastRequest.isDone();
        if (why != null) {
            end(why);
        } else {
            stop(Stage.OVER);
        }
        if (over) {
            return departure;
        }
        CompletableFuture<Boolean> known = unanswered ? CompletableFuture.completedFuture(false) : lastRequest;
        departure = new Departure(session, place, mayComeLate, known).start();
        return departure;
    }

    private void end(RuntimeException why) {
        stop(Stage.OVER);
        placed.completeExceptionally(why);
        granted.completeExceptionally(why);
    }

    private void stop(Stage last) {
        stage = last;
        QueueWait standing = waiting;
        if (standing != null) {
            standing.end();
        }
        session.occupants().forget(this);
    }

    /** Runs one step. What it throws ends this acquisition instead of leaving its caller to wait. */
    private void locked(Runnable step) {
        lock.lock();
        try {
            step.run();
        } catch (RuntimeException e) {
            if (stage != Stage.GRANTED) {
                CompletableFuture<String> unused = leaveAs(e);
            }
        } finally {
            lock.unlock();
        }
    }
}
