package dev.fence.etcd;

import com.google.protobuf.ByteString;
import dev.fence.BusyException;
import dev.fence.LeaseLostException;
import dev.fence.LeaseState;
import dev.fence.LossReason;
import dev.fence.SessionTiming;
import dev.fence.spi.PauseMeter;
import dev.fence.spi.SessionClock;
import dev.fence.spi.TimeSource;
import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.TxnResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One lease at etcd, which all keys of this process hang on, and the heartbeat that keeps it alive. Once over, it is never
 * revived: the next acquisition opens another.
 */
final class EtcdSession {

    private static final Logger LOG = LoggerFactory.getLogger(EtcdSession.class);

    private final EtcdSettings settings;
    private final EtcdClient client;
    private final Workers workers;
    private final TimeSource time;
    private final SessionClock.Sending opened;
    private final long id;
    private final Duration ttl;
    private final Duration callTimeout;
    private final Keys keys;
    private final SessionClock clock;
    private final PauseMeter pauses;
    private final WatchStream watches;
    private final LateWatches lateWatches;
    private final Runnable onMove;
    private final Heartbeat heartbeat;

    private final AtomicLong acquisitionCount = new AtomicLong();
    private final Occupants occupants = new Occupants();
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile @Nullable Future<?> ticking;
    private volatile long floor;

    /**
     * A session that was granted; {@link #start} is to be called next.
     *
     * @param sent just before the request that was answered
     */
    EtcdSession(
            EtcdSettings settings,
            EtcdClient client,
            Workers workers,
            TimeSource time,
            SessionClock.Sending sent,
            LeaseGrantResponse granted) {
        this.settings = settings;
        this.client = client;
        this.workers = workers;
        this.time = time;
        this.opened = sent;
        this.id = granted.getID();
        this.ttl = Duration.ofSeconds(granted.getTTL());
        SessionTiming timing = settings.timing();
        this.callTimeout = shorter(timing.callTimeout(), ttl.dividedBy(6));
        this.keys = new Keys(settings.namespace());
        this.pauses = new PauseMeter(time);
        this.clock = new SessionClock(time, timing, sent, ttl, pauses);
        this.watches = new WatchStream(client, workers.timer());
        this.lateWatches = new LateWatches(workers);
        this.onMove = watches::reset;
        this.heartbeat = new Heartbeat(
                workers.heartbeats(),
                this::beat,
                shorter(timing.heartbeatEvery(), ttl.dividedBy(3)),
                callTimeout.dividedBy(4));
    }

    /** Puts the session key, and keeps the session alive from then on. */
    void start(Duration longest) {
        ByteString value = ByteString.copyFromUtf8("fence1:" + settings.label());
        TxnResponse reply = client.ask(
                "opening a session",
                longest,
                () -> client.txn(QueueRequests.openSession(key(), keys.floor(), value, id), callTimeout));
        QueueRequests.readOne(reply, 1).ifPresent(kv -> floor = QueueValue.parseFloor(kv.getValue()));
        long createRevision = QueueRequests.readOne(reply, 2).orElseThrow().getCreateRevision();
        client.onMove(onMove);
        new KeyWatch(this, key(), createRevision, withSession -> revoked("its session key is gone"))
                .start(reply.getHeader().getRevision());
        ticking = workers.heartbeats()
                .scheduleAtFixedRate(pauses::tick, 0, PauseMeter.INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
        heartbeat.start(time.nanos().getAsLong() - opened.nanos());
        checkAtDeadline();
        LOG.info("session {} is open at etcd {} for {}", Keys.hex(id), client.endpoints(), ttl);
    }

    /** One heartbeat: fails if it was not answered, and succeeds if it was, whatever the answer. */
    CompletableFuture<?> beat() {
        SessionClock.Sending sent = clock.sending();
        return client.keepAlive(id, callTimeout).handle((left, failure) -> {
            if (failure == null && left > 0) {
                clock.confirmed(sent, Duration.ofSeconds(left));
            } else if (failure == null || Failures.isSessionGone(failure)) {
                revoked("answer to a heartbeat");
            } else {
                clock.unanswered("a heartbeat was not answered: " + Failures.describe(failure));
                LOG.warn("session {}: a heartbeat was not answered: {}", Keys.hex(id), Failures.describe(failure));
                throw new CompletionException(failure);
            }
            return sent;
        });
    }

    /** The service says that the session is over. */
    void revoked(String how) {
        lost(new LossReason(LossReason.Kind.REVOKED, "session " + Keys.hex(id) + " is over at the service: " + how));
    }

    private void lost(LossReason reason) {
        clock.lost(reason);
        workers.blocking().execute(this::endIfOver);
    }

    /** The loss is told at the local deadline, even if nobody asks and nothing arrives. */
    private void checkAtDeadline() {
        workers.later(clock.remaining().plusMillis(1), () -> {
            if (isOver()) {
                workers.blocking().execute(this::endIfOver);
            } else {
                checkAtDeadline();
            }
        });
    }

    private void endIfOver() {
        Optional<LossReason> reason = lossReason();
        if (reason.isEmpty() || !ended.compareAndSet(false, true)) {
            return;
        }
        heartbeat.stop();
        Future<?> ticks = ticking;
        if (ticks != null) {
            ticks.cancel(false);
        }
        client.removeOnMove(onMove);
        watches.close();
        occupants.sessionEnded(reason.get());
    }

    boolean isOver() {
        return lossReason().isPresent();
    }

    Optional<LossReason> lossReason() {
        return clock.state() instanceof LeaseState.Lost lost ? Optional.of(lost.reason()) : Optional.empty();
    }

    /** @throws LeaseLostException if the session is over */
    Acquisition acquisition(String leaseName, boolean mayWait) {
        long n = acquisitionCount.incrementAndGet();
        QueueRequests.Place place = new QueueRequests.Place(
                keys.queue(leaseName), keys.own(leaseName, id, n), keys.tombstone(id, n), key(), keys.floor());
        Acquisition acquisition = new Acquisition(this, leaseName, place, mayWait);
        boolean closing = !occupants.add(acquisition);
        if (isOver() || closing) {
            occupants.forget(acquisition);
            throw new LeaseLostException(leaseName, lossReason().orElse(closedHere()));
        }
        return acquisition;
    }

    Occupants occupants() {
        return occupants;
    }

    /**
     * Gives up every place in a queue, closes every lease, and ends the session: at the service, if all work has ended; else
     * only the heartbeat ends, and the time to live decides.
     */
    void close() {
        boolean workEnded = occupants.close(closedHere(), workers.blocking(), answerTimeout());
        boolean wasAlive = !isOver();
        clock.lost(closedHere());
        endIfOver();
        if (workEnded && wasAlive) {
            revoke();
        }
    }

    /** Ends it at the service. */
    void revoke() {
        CompletableFuture<?> answer = client.call(
                LeaseGrpc.getLeaseRevokeMethod(),
                LeaseRevokeRequest.newBuilder().setID(id).build(),
                callTimeout);
        if (!Waits.ended(answer, answerTimeout()) || answer.isCompletedExceptionally()) {
            LOG.warn("session {} could not be ended at the service: it ends within {}", Keys.hex(id), ttl);
        }
    }

    /** For the outcome of an acquisition about which nothing was heard. */
    BusyException unanswered(String leaseName, @Nullable Throwable cause) {
        return new BusyException(
                "etcd " + client.endpoints() + " did not answer whether lease \"" + leaseName + "\" is free", cause);
    }

    static LossReason closedHere() {
        return new LossReason(LossReason.Kind.CLOSED, "this source of leases was closed");
    }

    /** Between attempts of a repeated call: short at first, then longer, and never the same for two sessions. */
    Duration pause(int failures) {
        long longest = callTimeout.toMillis() / 2;
        long millis = Math.min(longest, 20L << Math.min(failures, 10));
        return Duration.ofMillis(millis / 2 + ThreadLocalRandom.current().nextLong(millis / 2 + 1));
    }

    long id() {
        return id;
    }

    ByteString key() {
        return keys.session(id);
    }

    long floor() {
        return floor;
    }

    /** The floor was found to be another than assumed. */
    void floor(long floor) {
        this.floor = floor;
    }

    /** The time to live that the service granted. */
    Duration ttl() {
        return ttl;
    }

    /** For one call. */
    Duration callTimeout() {
        return callTimeout;
    }

    /** For an answer, when the first endpoint may have to be left for another. */
    Duration answerTimeout() {
        return callTimeout.multipliedBy(2);
    }

    EtcdSettings settings() {
        return settings;
    }

    EtcdClient client() {
        return client;
    }

    Workers workers() {
        return workers;
    }

    WatchStream watches() {
        return watches;
    }

    LateWatches lateWatches() {
        return lateWatches;
    }

    SessionClock clock() {
        return clock;
    }

    TimeSource time() {
        return time;
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
