package dev.fence.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.TxnResponse;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Standing in the queue of a name, from when the own key is there until it is the first.
 *
 * <p>First in the queue means granted. Everybody else watches only the key just before its own, and reads the queue again when
 * that goes, when the watch breaks, and every time to live or so: it never assumes to be first, since those in the middle may
 * leave too.
 *
 * <p>Every method runs under the acquisition's lock.
 */
final class QueueWait {

    /** What becomes of it; called under the lock. */
    interface Outcome {

        void first(long readRevision);

        void behindSomebody();

        void ownKeyIsGone(boolean sessionIsThere);
    }

    private final EtcdSession session;
    private final QueueRequests.Place place;
    private final long createRevision;
    private final Consumer<Runnable> locked;
    private final Outcome outcome;

    private boolean over;
    private boolean looking;
    private boolean lookAgain;
    private int failures;
    private long readRevision;
    private ByteString predecessor = ByteString.EMPTY;
    private WatchStream.@Nullable Watch watch;
    private @Nullable Future<?> reread;

    /**
     * A wait that has not begun: {@link #decide} or {@link #look} begins it.
     *
     * @param createRevision of the own key
     * @param locked runs a step under the acquisition's lock
     */
    QueueWait(
            EtcdSession session,
            QueueRequests.Place place,
            long createRevision,
            Consumer<Runnable> locked,
            Outcome outcome) {
        this.session = session;
        this.place = place;
        this.createRevision = createRevision;
        this.locked = locked;
        this.outcome = outcome;
    }

    /** Reads the queue, and decides. */
    void look() {
        if (over) {
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
                (reply, failure) -> locked.accept(() -> looked(reply, failure)));
    }

    private void looked(@Nullable TxnResponse reply, @Nullable Throwable failure) {
        looking = false;
        if (over) {
            return;
        }
        if (failure != null && !Failures.isUnanswered(failure)) {
            throw session.client().explain("waiting in a queue", failure);
        }
        if (reply == null) {
            lookLater();
        } else if (lookAgain) {
            look();
        } else {
            decide(
                    QueueRequests.read(reply, 0),
                    !QueueRequests.read(reply, 1).isEmpty(),
                    reply.getHeader().getRevision());
        }
    }

    /** {@code newestTwo} are the newest two keys of those created up to the own, read at {@code revision}. */
    void decide(List<KeyValue> newestTwo, boolean sessionIsThere, long revision) {
        readRevision = revision;
        if (newestTwo.isEmpty() || !newestTwo.get(0).getKey().equals(place.own())) {
            outcome.ownKeyIsGone(sessionIsThere);
        } else if (newestTwo.size() == 1) {
            outcome.first(revision);
        } else {
            watchPredecessor(newestTwo.get(1).getKey());
            outcome.behindSomebody();
        }
    }

    private void watchPredecessor(ByteString key) {
        if (reread == null) {
            rereadLater();
        }
        if (watch == null || !key.equals(predecessor)) {
            cancelWatch();
            predecessor = key;
            Predecessor watcher = new Predecessor();
            // From now: a start revision can park the watcher for 100 ms.
            watch = session.watches().watch(key, 0, watcher);
            watcher.mine = watch;
        }
    }

    private final class Predecessor implements WatchStream.Watcher {

        private WatchStream.@Nullable Watch mine;

        @Override
        public void created(long revision) {
            locked.accept(() -> {
                if (watch != mine) {
                    return;
                }
                failures = 0; // not by a read: where watches alone fail, both would take turns in a tight loop
                if (revision > readRevision) {
                    look(); // it may have gone between the read and the watch
                }
            });
        }

        @Override
        public void deleted() {
            locked.accept(() -> {
                if (watch == mine) {
                    cancelWatch();
                    look();
                }
            });
        }

        @Override
        public void broken() {
            locked.accept(() -> {
                if (watch == mine) {
                    cancelWatch();
                    lookLater();
                }
            });
        }
    }

    /** A missed event costs time, not a wedge. Jittered, so that a thousand waiters do not read at once. */
    private void rereadLater() {
        long ttl = session.ttl().toMillis();
        long delay = ttl * 3 / 4 + ThreadLocalRandom.current().nextLong(ttl / 2);
        Runnable task = () -> locked.accept(() -> {
            if (!over) {
                rereadLater();
                look();
            }
        });
        reread = session.workers().timer().schedule(task, delay, TimeUnit.MILLISECONDS);
    }

    private void lookLater() {
        session.workers().later(session.pause(failures++), () -> locked.accept(this::look));
    }

    /** Nothing is decided after this. */
    void end() {
        over = true;
        cancelWatch();
        Future<?> timed = reread;
        if (timed != null) {
            timed.cancel(false);
        }
    }

    private void cancelWatch() {
        WatchStream.Watch old = watch;
        watch = null;
        if (old != null) {
            old.cancel();
        }
    }
}
