package dev.fence.etcd;

import dev.fence.BusyException;
import dev.fence.FencingToken;
import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.LeaseLostException;
import dev.fence.LeaseSettings;
import dev.fence.LeaseState;
import dev.fence.LeaseTimeoutException;
import dev.fence.Leases;
import dev.fence.spi.Checks;
import dev.fence.spi.ManagedLease;
import dev.fence.spi.SafeEvents;
import dev.fence.spi.TimeSource;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Leases from etcd: one session for the whole process, an ordered queue for each name, and tokens that are etcd revisions.
 *
 * <p>What is guaranteed, what is not, and the protocol are in {@code docs/leases.md}. In short: while etcd keeps its promises a
 * name has one holder at a time; a holder that is paused or cut off learns of its loss by its own clock; and a token is higher
 * than every token that this etcd gave before. etcd itself can end a live session by mistake, and a paused process learns
 * nothing at all: only a guard at the resource ({@link dev.fence.Fence}) keeps late writes out.
 *
 * <p>Safe for use by several threads. It runs three daemon threads, and one more for each listener being called.
 */
public final class EtcdLeases implements Leases {

    private static final Duration LONGEST_WAIT = Duration.ofDays(365);

    private final EtcdSettings settings;
    private final EtcdClient client;
    private final Workers workers = new Workers();
    private final CompletableFuture<@Nullable Void> closed = new CompletableFuture<>();
    private final LiveSession session;

    private EtcdLeases(EtcdSettings settings, TimeSource time) {
        this.settings = settings;
        this.client = new EtcdClient(settings);
        try {
            this.session = new LiveSession(settings, client, workers, time);
        } catch (RuntimeException e) {
            client.close();
            workers.close();
            throw e;
        }
    }

    /**
     * Opens a session.
     *
     * @throws BusyException if no endpoint answered within about 8 s, or half a time to live if that is longer; names the
     *     endpoints
     * @throws dev.fence.UnsupportedStoreException if one answered and refused, for instance because it wants a user name
     */
    public static EtcdLeases open(EtcdSettings settings) {
        return open(settings, TimeSource.system());
    }

    static EtcdLeases open(EtcdSettings settings, TimeSource time) {
        return new EtcdLeases(settings.withEvents(SafeEvents.of(settings.events())), time);
    }

    @Override
    public String source() {
        return settings.source();
    }

    /**
     * {@inheritDoc}
     *
     * <p>Without a live session another is opened first, which fails within about half a time to live if etcd does not answer.
     * Giving up is bounded too, by a third of a time to live: it asks for the holder and removes the place in the queue.
     */
    @Override
    public Lease acquire(String name, Duration wait, LeaseSettings settings) throws InterruptedException {
        Checks.name("lease name", name);
        Checks.duration("wait", wait, Duration.ZERO, LONGEST_WAIT);
        long asked = System.nanoTime();
        EtcdSession live = session.live(name);
        Acquisition acquisition = live.acquisition(name, true);
        try {
            acquisition.start();
            boolean first = placed(acquisition, name, live, wait.toNanos() - since(asked));
            if (!first && !wait.isZero()) {
                this.settings.events().waiting(name);
            }
            Optional<HeldKey> key = await(acquisition.granted(), wait.toNanos() - since(asked));
            return lease(key.orElseThrow(), settings, asked);
        } catch (TimeoutException e) {
            return grantedAfterAll(acquisition, settings, asked, name, wait);
        } catch (InterruptedException | RuntimeException e) {
            giveUp(acquisition, live);
            throw e;
        }
    }

    /** {@inheritDoc} With a live session no thread waits. */
    @Override
    public CompletableFuture<Lease> acquireAsync(String name, Duration wait, LeaseSettings settings) {
        long asked = System.nanoTime();
        EtcdSession live = session.last();
        if (session.isClosing() || live.isOver()) {
            return Leases.super.acquireAsync(name, wait, settings); // opening a session blocks
        }
        try {
            Checks.name("lease name", name);
            Checks.duration("wait", wait, Duration.ZERO, LONGEST_WAIT);
            return FutureLease.start(
                    live, live.acquisition(name, true), name, wait, key -> lease(key, settings, asked));
        } catch (IllegalArgumentException | LeaseLostException e) { // or the session ended at this moment
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public Optional<Lease> tryAcquire(String name, LeaseSettings settings) throws InterruptedException {
        Checks.name("lease name", name);
        long asked = System.nanoTime();
        EtcdSession live = session.live(name);
        Acquisition acquisition = live.acquisition(name, false);
        try {
            acquisition.start();
            placed(acquisition, name, live, 0);
            Optional<HeldKey> key =
                    await(acquisition.granted(), live.answerTimeout().toNanos());
            return key.map(held -> lease(held, settings, asked));
        } catch (TimeoutException e) {
            giveUp(acquisition, live);
            throw live.unanswered(name, e);
        } catch (InterruptedException | RuntimeException e) {
            giveUp(acquisition, live);
            throw e;
        }
    }

    @Override
    public Optional<Grant> holder(String name) {
        Checks.name("lease name", name);
        Duration timeout = settings.timing().callTimeout();
        TxnRequest request = QueueRequests.readFirst(new Keys(settings.namespace()).queue(name));
        TxnResponse reply = client.ask(
                "reading the holder of lease \"" + name + "\"",
                timeout.multipliedBy(2),
                () -> client.txn(request, timeout));
        return QueueRequests.readOne(reply, 0).map(first -> QueueValue.grant(first, settings.source(), name));
    }

    /**
     * Reads the token floor, to be handed to {@link #raiseTokenFloor}.
     *
     * @throws BusyException if etcd could not be reached
     */
    public TokenFloor tokenFloor() {
        return floorRaise().read(session.last().floor());
    }

    /**
     * Raises the token floor by at least {@link TokenFloor#STEP} above every token known, so that every token given from now
     * on is higher, also than those that were given and never reached a guard. What to do after etcd was restored: its
     * revisions ran backwards, and guards refuse the present holders. Nothing lowers a floor.
     *
     * <p>Holders of leases granted before keep their tokens; those are lower than all that come.
     *
     * @param expected what {@link #tokenFloor} has read
     * @param highestKnown the highest token of this source that is known anywhere: in the guards of all resources, retired
     *     ones included, in logs, and the floor of an earlier raise that the restore has undone
     * @return false if somebody else has raised the floor meanwhile: it is to be read again
     * @throws BusyException if etcd did not answer; repeating the call with the same arguments is safe, and tells
     * @throws IllegalArgumentException if {@code highestKnown} leaves no room for a step; before any I/O
     */
    public boolean raiseTokenFloor(TokenFloor expected, FencingToken highestKnown) {
        return floorRaise().raise(expected, highestKnown);
    }

    private FloorRaise floorRaise() {
        return new FloorRaise(
                client,
                new Keys(settings.namespace()).floor(),
                settings.timing().callTimeout());
    }

    /** Whether it is first at once. Without any answer there is nothing to say but busy, however short the wait was. */
    private boolean placed(Acquisition acquisition, String name, EtcdSession live, long waitNanos)
            throws InterruptedException {
        try {
            return await(
                    acquisition.placed(),
                    Math.max(waitNanos, live.answerTimeout().toNanos()));
        } catch (TimeoutException e) {
            throw live.unanswered(name, e);
        }
    }

    private Lease grantedAfterAll(
            Acquisition acquisition, LeaseSettings settings, long asked, String name, Duration wait) {
        Optional<CompletableFuture<String>> left = acquisition.leave();
        if (left.isEmpty()) {
            return lease(acquisition.granted().join().orElseThrow(), settings, asked);
        }
        boolean answered = Waits.ended(left.get(), session.last().answerTimeout());
        throw new LeaseTimeoutException(name, wait, answered ? left.get().join() : Departure.SILENT);
    }

    /** Removes every trace before the caller is told, if the service answers in time; else as soon as it does. */
    private static void giveUp(Acquisition acquisition, EtcdSession live) {
        Optional<CompletableFuture<String>> left = acquisition.leave();
        if (left.isPresent()) {
            Waits.ended(left.get(), live.answerTimeout());
            return;
        }
        try {
            acquisition.granted().join().ifPresent(HeldKey::giveBack);
        } catch (BusyException e) {
            // The heartbeat would keep the key of a grant that nobody has.
            if (!live.isOver()) {
                live.workers()
                        .later(
                                live.callTimeout(),
                                () -> live.workers().blocking().execute(() -> giveUp(acquisition, live)));
            }
        }
    }

    private Lease lease(HeldKey key, LeaseSettings settings, long asked) {
        ManagedLease lease = key.toLease(settings);
        if (lease.state() instanceof LeaseState.Lost lost) {
            // The session ended, by our own clock, while the grant was on its way.
            throw new LeaseLostException(lease.grant(), lost.reason());
        }
        this.settings.events().acquired(lease.grant(), Duration.ofNanos(since(asked)));
        return lease;
    }

    private static <T> T await(CompletableFuture<T> future, long nanos) throws InterruptedException, TimeoutException {
        try {
            return future.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new CompletionException(e.getCause());
        }
    }

    private static long since(long nanos) {
        return System.nanoTime() - nanos;
    }

    /** {@inheritDoc} The bound is the longest grace time of a lease and about a time to live. */
    @Override
    public void close() {
        if (!session.beginClosing()) {
            closed.join();
            return;
        }
        try {
            session.lastAfterAll().close();
        } finally {
            client.close();
            workers.close();
            closed.complete(null);
        }
    }
}
