package dev.fence.etcd;

import dev.fence.Grant;
import dev.fence.LeaseLostException;
import dev.fence.LeaseSettings;
import dev.fence.LossReason;
import dev.fence.spi.LeaseBackend;
import dev.fence.spi.ManagedLease;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.TxnResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/** The key that is first in its queue: the record of one grant. */
final class HeldKey implements LeaseBackend {

    private final EtcdSession session;
    private final Grant grant;
    private final QueueRequests.Place place;
    private final long createRevision;
    private final long readRevision;
    private final boolean mayComeLate;
    private volatile @Nullable KeyWatch watch;

    /**
     * A grant that the service has just given.
     *
     * @param readRevision at which it was first
     * @param mayComeLate whether some request to queue up was never answered, and could put the key again once it is deleted
     */
    HeldKey(
            EtcdSession session,
            Grant grant,
            QueueRequests.Place place,
            long createRevision,
            long readRevision,
            boolean mayComeLate) {
        this.session = session;
        this.grant = grant;
        this.place = place;
        this.createRevision = createRevision;
        this.readRevision = readRevision;
        this.mayComeLate = mayComeLate;
    }

    /** The lease of this grant; called once. */
    ManagedLease toLease(LeaseSettings settings) {
        ManagedLease lease = ManagedLease.granted(
                grant,
                settings,
                session.clock(),
                this,
                session.time(),
                session.settings().events());
        KeyWatch own = new KeyWatch(session, place.own(), createRevision, withSession -> {
            if (withSession) {
                session.revoked("its session key and the key of lease \"" + grant.leaseName() + "\" are gone");
            } else {
                session.occupants().forget(this);
                session.workers().blocking().execute(() -> lease.lost(removed()));
            }
        });
        watch = own;
        session.occupants().adopt(this, lease);
        session.lateWatches().add(own, readRevision);
        return lease;
    }

    @Override
    public void confirm(Grant ignored) {
        Duration longest = session.answerTimeout();
        TxnResponse reply = session.client().ask(what("confirming"), longest, () -> {
            CompletableFuture<?> beat = session.beat();
            return session.client()
                    .txn(QueueRequests.verify(place.own(), session.key()), session.callTimeout())
                    .thenCombine(beat, (read, beaten) -> read);
        });
        if (QueueRequests.read(reply, 1).isEmpty()) {
            session.revoked("its session key is gone");
        }
        session.lossReason().ifPresent(reason -> {
            throw new LeaseLostException(grant, reason);
        });
        Optional<KeyValue> found = QueueRequests.readOne(reply, 0);
        if (found.isEmpty() || !isMine(found.get())) {
            throw new LeaseLostException(grant, removed());
        }
    }

    private boolean isMine(KeyValue found) {
        try {
            return found.getCreateRevision() == createRevision
                    && QueueValue.parse(found.getValue()).holder().equals(grant.holder());
        } catch (IllegalArgumentException e) {
            return false; // somebody has put another value into the key
        }
    }

    @Override
    public boolean release(Grant ignored) {
        KeyWatch own = watch;
        if (own != null) {
            own.stop(); // or our own deletion would cost a read, to find out what it means
        }
        boolean[] unansweredBefore = new boolean[1];
        TxnResponse reply = session.client()
                .ask(
                        what("releasing"),
                        session.answerTimeout(),
                        () -> session.client()
                                .txn(
                                        QueueRequests.release(place, createRevision, session.id(), mayComeLate),
                                        session.callTimeout())
                                .whenComplete((answer, failure) -> unansweredBefore[0] |= failure != null));
        session.occupants().forget(this);
        if (mayComeLate) {
            Departure.sweepLater(session, place);
        }
        if (reply.getSucceeded()) {
            return true;
        }
        // Gone after an attempt whose answer was lost, while the session lives on: it was that attempt. With the
        // session the key would have gone by itself, maybe long before, and the successor be here.
        boolean sessionLives = !QueueRequests.read(reply, 0).isEmpty();
        return unansweredBefore[0] && sessionLives;
    }

    /** Deletes the key of a grant that nobody took. */
    void giveBack() {
        release(grant);
    }

    @Override
    public Duration ttl() {
        return session.ttl();
    }

    @Override
    public ScheduledExecutorService timer() {
        return session.workers().timer();
    }

    @Override
    public Executor listeners() {
        return session.workers().blocking();
    }

    private String what(String doing) {
        return doing + " lease \"" + grant.leaseName() + "\" (holder " + grant.holder() + ")";
    }

    private static LossReason removed() {
        return new LossReason(LossReason.Kind.REMOVED, "its key was deleted at the service while the session lived on");
    }
}
