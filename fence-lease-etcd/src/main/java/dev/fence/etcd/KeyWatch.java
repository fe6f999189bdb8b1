package dev.fence.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.TxnResponse;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Notices that a key of ours is gone, through every change of endpoint: when a watch breaks, the key is read again.
 *
 * <p>The watch starts right after the revision at which the key was read, so nothing lies between the two. (Such a watch may
 * be told some 100 ms late, which does no harm here and would at a hand-over.)
 */
final class KeyWatch implements WatchStream.Watcher {

    /** Is called once, on the network thread or a timer, and must not block. */
    interface Gone {
        /** The key is gone; {@code withSession} says whether the session key is gone as well. */
        void gone(boolean withSession);
    }

    private static final long SPREAD_MILLIS = 500;

    private final EtcdSession session;
    private final ByteString key;
    private final long createRevision;
    private final Gone gone;
    private volatile boolean stopped;
    private volatile WatchStream.@Nullable Watch watch;
    private int failures;

    KeyWatch(EtcdSession session, ByteString key, long createRevision, Gone gone) {
        this.session = session;
        this.key = key;
        this.createRevision = createRevision;
        this.gone = gone;
    }

    /** @param readRevision at which the key was there */
    void start(long readRevision) {
        if (stopped) {
            return;
        }
        watch = session.watches().watch(key, readRevision + 1, this);
        if (stopped) {
            stop();
        }
    }

    /** Nothing is told after this. */
    void stop() {
        stopped = true;
        WatchStream.Watch last = watch;
        if (last != null) {
            last.cancel();
        }
    }

    @Override
    public void created(long revision) {
        failures = 0;
    }

    @Override
    public void deleted() {
        // Read once more to tell a session that was revoked from a key that was removed; the deletion itself is
        // certain.
        Waits.then(
                session.client().txn(QueueRequests.verify(key, session.key()), session.callTimeout()),
                (reply, failure) -> tell(failure == null && sessionIsGone(reply)));
    }

    /**
     * Spread, since thousands of watches break in one moment when an endpoint is left; and later each time until a watch is
     * there, or where watches alone fail, reading and watching would take turns as fast as the network can.
     */
    @Override
    public void broken() {
        if (!stopped) {
            long spread = ThreadLocalRandom.current().nextLong(SPREAD_MILLIS);
            session.workers().later(session.pause(failures++).plusMillis(spread), this::readAgain);
        }
    }

    private void readAgain() {
        if (!stopped && !session.isOver()) {
            Waits.then(
                    session.client().txn(QueueRequests.verify(key, session.key()), session.callTimeout()), this::read);
        }
    }

    private void read(@Nullable TxnResponse reply, @Nullable Throwable failure) {
        if (stopped) {
            return;
        }
        if (reply == null) {
            broken();
            return;
        }
        Optional<KeyValue> found = QueueRequests.readOne(reply, 0);
        if (found.isPresent() && found.get().getCreateRevision() == createRevision) {
            start(reply.getHeader().getRevision());
        } else {
            tell(sessionIsGone(reply));
        }
    }

    private void tell(boolean withSession) {
        if (!stopped) {
            stop();
            gone.gone(withSession);
        }
    }

    private static boolean sessionIsGone(TxnResponse reply) {
        return QueueRequests.read(reply, 1).isEmpty();
    }
}
