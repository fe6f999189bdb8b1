package dev.fence.spi;

import dev.fence.BusyException;
import dev.fence.FencingToken;
import dev.fence.Grant;
import dev.fence.LeaseLostException;
import dev.fence.LossReason;
import dev.fence.SessionTiming;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A lease service that knows one record; it can be made to stop answering. */
final class OneLeaseService implements LeaseBackend, AutoCloseable {

    static final Grant GRANT = new Grant("etcd", "payouts/EU", new FencingToken(41), Grant.newHolder());

    final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000_000_000L); // overflows during most tests
    final TimeSource time = new TimeSource(nanos::get, () -> nanos.get() / 1_000_000);
    final SessionClock session =
            new SessionClock(time, SessionTiming.DEFAULTS, SessionClock.sending(time), Duration.ofSeconds(10));
    final AtomicReference<Grant> record = new AtomicReference<>(GRANT);
    final AtomicInteger releases = new AtomicInteger();
    final AtomicInteger confirms = new AtomicInteger();
    /** Of each task that the timer was given. */
    final List<Duration> delays = new CopyOnWriteArrayList<>();

    volatile boolean silent;
    volatile @Nullable RuntimeException refusal;
    volatile Duration answersAfter = Duration.ZERO;

    private final ScheduledExecutorService timer = new ScheduledThreadPoolExecutor(1) {
        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            delays.add(Duration.of(delay, unit.toChronoUnit()));
            return super.schedule(task, delay, unit);
        }
    };

    @Override
    public void confirm(Grant grant) {
        confirms.incrementAndGet();
        advance(answersAfter);
        requireAnswer();
        if (!grant.equals(record.get())) {
            throw new LeaseLostException(grant, new LossReason(LossReason.Kind.REMOVED, "no such record"));
        }
    }

    @Override
    public boolean release(Grant grant) {
        requireAnswer();
        releases.incrementAndGet();
        return record.compareAndSet(grant, null);
    }

    private void requireAnswer() {
        RuntimeException why = silent ? new BusyException("no answer", null) : refusal;
        if (why != null) {
            throw why;
        }
    }

    /** Short, since a release that was left to it is tried every tenth of it. */
    @Override
    public Duration ttl() {
        return Duration.ofMillis(100);
    }

    @Override
    public ScheduledExecutorService timer() {
        return timer;
    }

    @Override
    public Executor listeners() {
        return task -> {
            Thread thread = new Thread(task, "listener");
            thread.setDaemon(true);
            thread.start();
        };
    }

    void advance(Duration by) {
        nanos.addAndGet(by.toNanos());
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
