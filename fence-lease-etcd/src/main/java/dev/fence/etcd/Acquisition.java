package dev.fence.etcd;

import com.google.protobuf.ByteString;
import dev.fence.FencingToken;
import dev.fence.Grant;
import dev.fence.LeaseLostException;
import dev.fence.LossReason;
import dev.fence.UnsupportedStoreException;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.TxnResponse;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One way through the queue of a name, from the first request to the grant or to the removal of every trace.
 *
 * <p>First in the queue means granted. Everybody else watches only the key just before its own, and reads the queue again when
 * that goes, when the watch breaks, and every time to live or so: it never assumes to be first, since those in the middle may
 * leave too.
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
    private long readRevision;
    private boolean looking;
    private boolean lookAgain;
    private int failures;
    private ByteString predecessor = ByteString.EMPTY;
    private WatchStream.@Nullable Watch watch;
    private @Nullable Future<?> reread;
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
                    answered.complete(failure == null || !EtcdClient.isUnanswered(failure));
                });
    }

    private void enqueued(long floor, @Nullable TxnResponse reply, @Nullable Throwable failure) {
        if (failure != null && EtcdClient.isSessionGone(failure)) {
            session.revoked("it has no such session");
            return;
        }
        if (stage != Stage.QUEUEING) {
            return;
        }
        if (reply == null) {
            unanswered = true;
            retryOrFail(failure, this::enqueue);
            return;
        }
        failures = 0;
        readRevision = reply.getHeader().getRevision();
        if (reply.getSucceeded()) {
            isQueued(floor, readRevision);
            decide(QueueRequests.read(reply, 1), true);
            return;
        }
        Optional<KeyValue> own = QueueRequests.readOne(reply, 0);
        if (own.isPresent()) {
            // An earlier request was applied and its answer lost.
            isQueued(QueueValue.parse(own.get().getValue()).floor(), own.get().getCreateRevision());
            look();
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

    private void isQueued(long floor, long revision) {
        ownFloor = floor;
        createRevision = revision;
        stage = Stage.WAITING;
    }

    private void look() {
        if (stage != Stage.WAITING) {
            return;
        }
        if (looking) {
            lookAgain = true; // what is on its way may have been read before the event
            return;
        }
        looking = true;
        lookAgain = false;
        Waits.then(
                session.client().txn(QueueRequests.look(place, createRevision), session.callTimeout()),
                (reply, failure) -> locked(() -> looked(reply, failure)));
    }

    private void looked(@Nullable TxnResponse reply, @Nullable Throwable failure) {
        looking = false;
        if (stage != Stage.WAITING) {
            return;
        }
        if (reply == null) {
            retryOrFail(failure, this::look);
        } else if (lookAgain) {
            look();
        } else {
            failures = 0;
            readRevision = reply.getHeader().getRevision();
            decide(QueueRequests.read(reply, 0), !QueueRequests.read(reply, 1).isEmpty());
        }
    }

    private void decide(List<KeyValue> newestTwo, boolean sessionIsThere) {
        if (newestTwo.isEmpty() || !newestTwo.get(0).getKey().equals(place.own())) {
            ownKeyIsGone(sessionIsThere);
        } else if (newestTwo.size() == 1) {
            grant();
        } else {
            waitFor(newestTwo.get(1).getKey());
        }
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

    private void grant() {
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

    private void waitFor(ByteString other) {
        if (reread == null) {
            rereadLater();
        }
        if (watch == null || !other.equals(predecessor)) {
            cancelWatch();
            predecessor = other;
            // From now: a start revision can park the watcher for 100 ms.
            PredecessorWatcher watcher = new PredecessorWatcher();
            watch = session.watches().watch(other, 0, watcher);
            watcher.mine = watch;
        }
        placed.complete(false);
    }

    private final class PredecessorWatcher implements WatchStream.Watcher {

        private WatchStream.@Nullable Watch mine;

        @Override
        public void created(long revision) {
            locked(() -> {
                // The predecessor may have gone between the read and the watch.
                if (watch == mine && revision > readRevision) {
                    look();
                }
            });
        }

        @Override
        public void deleted() {
            locked(() -> {
                if (watch == mine) {
                    cancelWatch();
                    look();
                }
            });
        }

        @Override
        public void broken() {
            locked(() -> {
                if (watch == mine) {
                    cancelWatch();
                    later(Acquisition.this::look);
                }
            });
        }
    }

    /** A missed event costs time, not a wedge. Jittered, so that a thousand waiters do not read at once. */
    private void rereadLater() {
        long ttl = session.ttl().toMillis();
        long delay = ttl * 3 / 4 + ThreadLocalRandom.current().nextLong(ttl / 2);
        reread = session.workers()
                .timer()
                .schedule(
                        () -> locked(() -> {
                            if (stage == Stage.WAITING) {
                                rereadLater();
                                look();
                            }
                        }),
                        delay,
                        TimeUnit.MILLISECONDS);
    }

    private void retryOrFail(@Nullable Throwable failure, Runnable again) {
        if (failure != null && !EtcdClient.isUnanswered(failure)) {
            throw session.client().explain("queueing for lease \"" + leaseName + "\"", failure);
        }
        later(again);
    }

    private void later(Runnable step) {
        session.workers().later(session.pause(failures++), () -> locked(step));
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
        cancelWatch();
        Future<?> timed = reread;
        if (timed != null) {
            timed.cancel(false);
        }
        session.forget(this);
    }

    private void cancelWatch() {
        WatchStream.Watch old = watch;
        watch = null;
        if (old != null) {
            old.cancel();
        }
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
