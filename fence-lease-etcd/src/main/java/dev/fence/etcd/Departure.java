package dev.fence.etcd;

import io.etcd.jetcd.api.TxnResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Removes every trace of an acquisition that was given up.
 *
 * <p>A request to queue up that was not answered can come to the service later and put the key after it was deleted: a place
 * that nobody stands in and everybody waits behind. So a tombstone is left in the same step as the key is deleted, and the
 * late request finds it. The tombstone goes as soon as nothing can come any more: when the request is answered, else after
 * {@link #STRAY}, and the key is deleted with it once more. All of it hangs on the session and would end with it.
 */
final class Departure {

    /** Longer than a system goes on sending what was written to a connection, which closing it does not stop. */
    static final Duration STRAY = Duration.ofMinutes(30);

    static final String SILENT = "a holder that is not known: the service did not answer";
    static final String UNKNOWN = "a holder that is not known: the session is over";

    private final EtcdSession session;
    private final QueueRequests.Place place;
    private final boolean mayComeLate;
    private final CompletableFuture<Boolean> lastRequestAnswered;
    private final CompletableFuture<String> done = new CompletableFuture<>();
    private int failures;

    /**
     * @param mayComeLate whether some request to queue up was not answered yet
     * @param lastRequestAnswered ends when that is known to be answered (true) or never will be (false)
     */
    Departure(
            EtcdSession session,
            QueueRequests.Place place,
            boolean mayComeLate,
            CompletableFuture<Boolean> lastRequestAnswered) {
        this.session = session;
        this.place = place;
        this.mayComeLate = mayComeLate;
        this.lastRequestAnswered = lastRequestAnswered;
    }

    /** Ends when the key is gone and cannot come back, with who is first now in words for people. */
    CompletableFuture<String> start() {
        leave();
        return done;
    }

    private void leave() {
        if (session.isOver()) {
            done.complete(UNKNOWN);
            return;
        }
        Waits.then(
                session.client().txn(QueueRequests.leave(place, session.id(), mayComeLate), session.callTimeout()),
                this::left);
    }

    private void left(@Nullable TxnResponse reply, @Nullable Throwable failure) {
        if (failure != null && Failures.isSessionGone(failure)) {
            session.revoked("it has no such session");
            done.complete(UNKNOWN);
        } else if (reply == null) {
            // Refused, as without the right to write: asked again, since all wait behind the key, but not in a hurry.
            boolean refused = failure != null && !Failures.isUnanswered(failure);
            Duration pause = refused ? session.ttl() : session.pause(failures++);
            session.workers().later(pause, this::leave);
        } else {
            done.complete(QueueRequests.readOne(reply, 1)
                    .map(first -> QueueValue.describe(first.getValue())
                            + (Keys.isOf(first.getKey(), session.id()) ? ", which is this very process" : ""))
                    .orElse("nobody any more: it was given back at this moment"));
            if (mayComeLate) {
                Waits.then(lastRequestAnswered, (answered, never) -> sweepWhenSafe(answered != null && answered));
            }
        }
    }

    private void sweepWhenSafe(boolean answered) {
        if (answered) {
            sweep();
        } else {
            sweepLater();
        }
    }

    /** Removes the tombstone of a released key, when nothing is expected to come any more. */
    static void sweepLater(EtcdSession session, QueueRequests.Place place) {
        new Departure(session, place, true, CompletableFuture.completedFuture(false)).sweepLater();
    }

    private void sweepLater() {
        session.workers().later(STRAY, this::sweep);
    }

    private void sweep() {
        if (!session.isOver()) {
            Waits.then(session.client().txn(QueueRequests.sweep(place), session.callTimeout()), (reply, failure) -> {
                if (failure != null) {
                    session.workers().later(session.pause(failures++), this::sweep);
                }
            });
        }
    }
}
