package dev.fence.etcd;

import dev.fence.LeaseLostException;
import dev.fence.LossReason;
import dev.fence.ReleaseOutcome;
import dev.fence.spi.ManagedLease;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;

/** Who hangs on a session: places in queues, and leases. */
final class Occupants {

    private static final Duration LONGEST_GRACE = Duration.ofHours(1);
    private static final int AT_ONCE = 16;

    private final Set<Acquisition> acquisitions = ConcurrentHashMap.newKeySet();
    private final Map<HeldKey, ManagedLease> leases = new ConcurrentHashMap<>();
    private volatile boolean closing;

    /** False if the session is being closed, and may not have seen it any more. */
    boolean add(Acquisition acquisition) {
        acquisitions.add(acquisition);
        return !closing;
    }

    void forget(Acquisition acquisition) {
        acquisitions.remove(acquisition);
    }

    /** @throws LeaseLostException if the session is being closed: the lease is given back */
    void adopt(HeldKey key, ManagedLease lease) {
        leases.put(key, lease);
        if (closing) {
            lease.release();
            throw new LeaseLostException(lease.grant(), EtcdSession.closedHere());
        }
    }

    void forget(HeldKey key) {
        leases.remove(key);
    }

    /** Has every lease and every place notice it. */
    void sessionEnded(LossReason reason) {
        leases.values().forEach(ManagedLease::state);
        leases.clear();
        acquisitions.forEach(waiting -> waiting.sessionEnded(reason));
    }

    /**
     * Gives up every place and closes every lease: those with work in flight at once, each on a thread of {@code blocking}
     * where it waits for that work; the others, of which there may be thousands, a few at a time, and only until the service
     * leaves one unanswered: to ask for each in vain would take hours.
     *
     * @return whether all work under the leases has ended and the service has answered
     */
    boolean close(LossReason reason, Executor blocking, Duration answerTimeout) {
        closing = true;
        CompletableFuture<?> left = CompletableFuture.allOf(acquisitions.stream()
                .map(waiting -> waiting.sessionCloses(reason))
                .toArray(CompletableFuture<?>[]::new));
        ExecutorService few = Executors.newFixedThreadPool(AT_ONCE, Workers.named("close"));
        AtomicBoolean answers = new AtomicBoolean(true);
        List<CompletableFuture<ReleaseOutcome>> releases = leases.values().stream()
                .map(lease -> lease.isIdle()
                        ? CompletableFuture.supplyAsync(() -> releaseWhile(answers, lease), few)
                        : CompletableFuture.supplyAsync(lease::release, blocking))
                .toList();
        few.shutdown();
        Waits.ended(left, answerTimeout);
        Waits.ended(
                CompletableFuture.allOf(releases.toArray(CompletableFuture<?>[]::new)),
                LONGEST_GRACE.plus(answerTimeout.multipliedBy(2)));
        return releases.stream()
                .allMatch(release -> release.getNow(ReleaseOutcome.LEFT_TO_TTL) != ReleaseOutcome.LEFT_TO_TTL);
    }

    /** The end of the session, which comes next, tells a lease that is left here. */
    private static ReleaseOutcome releaseWhile(AtomicBoolean answers, ManagedLease lease) {
        ReleaseOutcome outcome = answers.get() ? lease.releaseNow() : ReleaseOutcome.LEFT_TO_TTL;
        if (outcome == ReleaseOutcome.LEFT_TO_TTL) {
            answers.set(false);
        }
        return outcome;
    }
}
