package dev.fence;

import dev.fence.spi.Checks;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One candidate for the leadership of a name, among all that run under the same name at the same lease service.
 *
 * <p>It campaigns until it is closed. A term begins when the lease was granted, the declared resources are sealed, and the
 * service has confirmed the lease after that: only then {@link Candidate#onElected} is called. From the seal on no write of an
 * older leader takes effect. The epoch is the token of the lease.
 *
 * <p>A term ends when the lease is over, by our own clock or by the service's word, or by {@link Leadership#resign} or
 * {@link #close}. Then new work under the lease is refused, {@link Candidate#onDemoted} is called, and the lease is given back
 * when that has returned and the work in flight has ended. What takes longer than the grace time keeps the lease until it
 * ends, but for one time to live at the most. The next term of this candidate begins after {@code onDemoted} has returned, or
 * the longer of {@link ElectionSettings#longestDemotion} and the grace time has passed; others may lead meanwhile.
 *
 * <p>Safe for use by several threads. It runs one daemon thread, and one more for each term.
 */
public final class LeaderElection implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LeaderElection.class);
    private static final Duration CAMPAIGN = Duration.ofDays(365);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    /** For the calls to the lease service and to the resources that closing may have to wait for. */
    private static final Duration CALLS = Duration.ofSeconds(30);

    private final Leases leases;
    private final String name;
    private final ElectionSettings settings;
    private final Candidate candidate;
    private final Interruptible campaign = new Interruptible();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private volatile @Nullable Term term;

    private LeaderElection(Leases leases, String name, ElectionSettings settings, Candidate candidate) {
        this.leases = leases;
        this.name = Checks.name("lease name", name);
        this.settings = settings;
        this.candidate = candidate;
        this.thread = new Thread(this::campaignOn, "fence-election-" + name);
        thread.setDaemon(true);
    }

    /**
     * Starts to campaign, and returns at once.
     *
     * @param name of the lease that the leader holds, 1 to 255 UTF-8 bytes, no control characters
     * @throws IllegalArgumentException if the name breaks its rule
     */
    public static LeaderElection run(Leases leases, String name, ElectionSettings settings, Candidate candidate) {
        LeaderElection election = new LeaderElection(leases, name, settings, candidate);
        election.thread.start();
        return election;
    }

    /** The present term if this candidate leads, as of this call and by our own clock: never an answer from before the deadline. */
    public Optional<Leadership> leaderNow() {
        return Optional.ofNullable(term).map(Term::leadership).filter(present -> !present.isOver());
    }

    private void campaignOn() {
        try {
            while (closing.getCount() > 0) {
                campaignOnce();
            }
        } catch (InterruptedException e) {
            LOG.debug("the campaign for \"{}\" ends", name);
        }
    }

    private void campaignOnce() throws InterruptedException {
        Lease lease;
        try {
            lease = campaign.run(() -> leases.acquire(name, CAMPAIGN, settings.lease()));
        } catch (LeaseLostException e) {
            if (e.reason().kind() != LossReason.Kind.CLOSED) {
                failed(e);
                return;
            }
            LOG.info("the campaign for \"{}\" ends: {}", name, e.getMessage());
            closing.countDown();
            return;
        } catch (RuntimeException | Error e) {
            failed(e);
            return;
        }
        try {
            lead(lease);
        } catch (RuntimeException | Error e) {
            // Also an Error, as of a missing class: the heartbeat would keep the lease of a thread that is gone.
            lease.release();
            failed(e);
        }
    }

    private void failed(Throwable why) throws InterruptedException {
        LOG.warn("an attempt to be elected for \"{}\" failed", name, why);
        try {
            candidate.onFailed(why instanceof RuntimeException e ? e : new IllegalStateException(why));
        } catch (RuntimeException | Error e) {
            LOG.warn("onFailed for \"{}\" failed", name, e);
        }
        closing.await(PAUSE.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void lead(Lease lease) throws InterruptedException {
        if (closing.getCount() == 0) {
            lease.release(); // granted in the moment of closing
            return;
        }
        Map<ElectionResource<?>, FencedWriter<?>> writers = new HashMap<>();
        for (ElectionResource<?> resource : settings.resources()) {
            writers.put(resource, resource.fence().seal(lease, resource.name()));
        }
        // Sealing may have taken longer than the lease lived, and the service may have given it to another meanwhile.
        lease.confirm();
        Term now = new Term(lease, writers, candidate);
        term = now;
        now.start();
        if (closing.getCount() == 0) {
            now.stepDown(); // closed before this term could be seen
        }
        endOf(now);
    }

    private void endOf(Term ending) throws InterruptedException {
        long ended;
        try {
            ending.awaitEnd();
        } finally {
            ended = System.nanoTime();
            ending.release();
        }
        Duration left = settings.longestDemotion().minusNanos(System.nanoTime() - ended);
        if (!ending.awaitDemoted(left.isNegative() ? Duration.ZERO : left)) {
            LOG.warn("onDemoted for \"{}\" has not returned within {}", name, settings.longestDemotion());
        }
    }

    /**
     * Stops campaigning, and steps down if this candidate leads, in the order described above. Bounded by the grace time, the
     * longest demotion and 30 s for calls. Called by a callback it returns at once. Closing twice is harmless.
     */
    @Override
    public void close() {
        closing.countDown();
        campaign.interrupt();
        Term present = term;
        if (present != null) {
            present.stepDown();
        }
        Thread caller = Thread.currentThread();
        if (caller == thread || (present != null && present.runsOn(caller))) {
            return; // who waits for itself waits for ever
        }
        Duration longest =
                settings.lease().grace().plus(settings.longestDemotion()).plus(CALLS);
        if (!ended(longest)) {
            LOG.warn("the election for \"{}\" did not end within {}", name, longest);
        }
    }

    /** Not cut short by an interrupt, which is kept: giving up the lease must not be left half done. */
    private boolean ended(Duration longest) {
        long end = System.nanoTime() + longest.toNanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, end - System.nanoTime()));
                    return !thread.isAlive();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
