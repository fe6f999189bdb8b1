package dev.fence;

import dev.fence.spi.Checks;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells those who do not stand for an election who leads, and in which epoch: the token of the leader's grant. It asks the
 * service at an interval, so a change is known within that and the time of a call.
 *
 * <p>What it tells is news, not a permission. Sent along with a request, the epoch lets the receiver refuse an older one.
 *
 * <p>Safe for use by several threads. It runs one daemon thread.
 */
public final class LeaderObserver implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LeaderObserver.class);
    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final Duration CLOSE = Duration.ofSeconds(30);

    private final Leases leases;
    private final String name;
    private final Duration every;
    private final Consumer<Optional<Grant>> listener;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;
    private volatile @Nullable Seen last;

    private record Seen(Optional<Grant> leader, long askedNanos) {}

    private LeaderObserver(Leases leases, String name, Duration every, Consumer<Optional<Grant>> listener) {
        this.leases = leases;
        this.name = Checks.name("lease name", name);
        this.every = Checks.duration("every", every, SHORTEST, LONGEST);
        this.listener = listener;
        this.thread = new Thread(this::observe, "fence-observer-" + name);
        thread.setDaemon(true);
    }

    /**
     * Starts to ask, and returns at once.
     *
     * @param name of the election, as in {@link LeaderElection#run}
     * @param every from one question to the next, 100 ms to 1 h
     * @param listener is called with each leader that differs from the one before, empty when nobody leads; on the thread that
     *     asks. What it throws is logged
     * @throws IllegalArgumentException if an argument is out of its range
     */
    public static LeaderObserver observe(
            Leases leases, String name, Duration every, Consumer<Optional<Grant>> listener) {
        LeaderObserver observer = new LeaderObserver(leases, name, every, listener);
        observer.thread.start();
        return observer;
    }

    /** The leader, if the service named one in an answer to a question from the last two intervals: never an older answer. */
    public Optional<Grant> leaderNow() {
        Seen seen = last;
        boolean fresh = seen != null
                && System.nanoTime() - seen.askedNanos() < every.multipliedBy(2).toNanos();
        return seen != null && fresh ? seen.leader() : Optional.empty();
    }

    private void observe() {
        Optional<Grant> told = Optional.empty();
        try {
            do {
                told = ask(told);
            } while (!closed.await(every.toNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            LOG.debug("observing \"{}\" ends", name);
        }
    }

    private Optional<Grant> ask(Optional<Grant> told) {
        long asked = System.nanoTime();
        try {
            Optional<Grant> leader = leases.holder(name);
            last = new Seen(leader, asked);
            if (!leader.equals(told)) {
                tell(leader);
            }
            return leader;
        } catch (FenceException e) {
            LOG.debug("who leads \"{}\" is not known", name, e);
            return told;
        }
    }

    private void tell(Optional<Grant> leader) {
        try {
            listener.accept(leader);
        } catch (RuntimeException e) {
            LOG.warn("a listener to the leader of \"{}\" failed", name, e);
        }
    }

    /** Stops asking; waits for a question that is being asked. Closing twice is harmless. */
    @Override
    public void close() {
        closed.countDown();
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            TimeUnit.NANOSECONDS.timedJoin(thread, CLOSE.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
