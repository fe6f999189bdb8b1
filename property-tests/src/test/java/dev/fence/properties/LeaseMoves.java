package dev.fence.properties;

import dev.fence.FenceEvents;
import dev.fence.FencingToken;
import dev.fence.Grant;
import dev.fence.LeaseLostException;
import dev.fence.LeaseSettings;
import dev.fence.LeaseState;
import dev.fence.LossReason;
import dev.fence.SessionTiming;
import dev.fence.spi.LeaseBackend;
import dev.fence.spi.ManagedLease;
import dev.fence.spi.SessionClock;
import dev.fence.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * One lease of the real state machine in virtual time, and beside it the truth: what the service knows, and what the protocol
 * says the holder may believe. Invariants 7 and 8 of the design.
 */
final class LeaseMoves implements LeaseBackend {

    static final SessionTiming TIMING = SessionTiming.DEFAULTS;
    private static final long TTL = TIMING.ttl().toMillis();
    private static final long RESERVE = TIMING.reserve().toMillis();
    private static final long MARGIN = TIMING.margin().toMillis();
    /** What the margin covers in a time to live. */
    private static final int MOST_DRIFT = (int) (1000 * MARGIN / TTL);

    private static final ScheduledExecutorService TIMER = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "lease-moves-timer");
        thread.setDaemon(true);
        return thread;
    });

    /** What can happen to a lease. */
    enum What {
        /** Time passes on both clocks. */
        PASS,
        /** The wall clock alone is stepped. */
        STEP_WALL_CLOCK,
        /** From now on both clocks of the holder go slower or faster than the service's, by a tenth at most. */
        DRIFT,
        /** The holder's machine sleeps: its elapsed clock stands still, its wall clock and the service's do not. */
        SLEEP,
        /** A heartbeat leaves and reaches the service at once: no session can live longer than counted from here. */
        SEND,
        /** The answer to the newest heartbeat on its way comes, or with an odd number, to the oldest. */
        ANSWER,
        /** It becomes known that heartbeats are not answered. */
        TROUBLE,
        /** Another process gets the lease, if the service has it to give. */
        OTHER_ACQUIRES,
        /** The holder gives its lease back, once. */
        RELEASE,
        /** Somebody asks the lease. Nobody does in between. */
        ASK
    }

    /** @param millis how long or how far, where it matters */
    record Move(What what, int millis) {}

    /** Mistakes around the state machine that the judgement has to notice. */
    enum Slip {
        /** Validity is counted from the answer, not from before the send. */
        COUNTS_FROM_THE_ANSWER,
        /** What a thread found out last is believed without asking. */
        BELIEVES_WHAT_A_THREAD_SAW,
        /** The elapsed clock is the wall clock. */
        COUNTS_BY_THE_WALL_CLOCK,
        /** A clock that is stepped is not noticed. */
        IGNORES_THE_WALL_CLOCK,
        /** An answer after the end begins a new life. */
        REVIVES,
        /** A release removes whatever lease has the name. */
        RELEASES_BY_NAME,
        /** The holder stops when the service does, by its own clock, and not earlier. */
        LEAVES_NO_MARGIN
    }

    private record Sent(SessionClock.Sending sending, long at, int sleepsBefore) {}

    private final Set<Slip> slips;
    private final Grant own = new Grant("home", "payouts", new FencingToken(1), Grant.newHolder());
    private final Grant other = new Grant("home", "payouts", new FencingToken(2), Grant.newHolder());
    private final List<Sent> onTheirWay = new ArrayList<>();
    private final ManagedLease lease;
    private SessionClock clock;
    private @Nullable LeaseState seen;

    // the truth: the holder's clocks in milliseconds, the service's in microseconds
    private long now;
    private long wall;
    private long atService;
    private long expiresAtService = TTL * 1000;
    private int driftPerMille;
    private int sleeps;
    private int sleepsBeforeConfirmed;
    private @Nullable Grant holder = own;
    private boolean released;
    private long confirmedAt;
    private long wallAtConfirmed;
    private boolean over;
    private boolean trouble;
    private @Nullable String violation;

    LeaseMoves(Set<Slip> slips) {
        this.slips = slips;
        this.clock = newClock();
        this.lease = ManagedLease.granted(
                own, LeaseSettings.DEFAULTS.withGrace(Duration.ZERO), clock, this, time(), FenceEvents.NONE);
    }

    /** In words what was violated, or empty. */
    static Optional<String> play(List<Move> moves, Slip... slips) {
        Set<Slip> all = EnumSet.noneOf(Slip.class);
        all.addAll(List.of(slips));
        LeaseMoves lease = new LeaseMoves(all);
        moves.forEach(lease::make);
        lease.make(new Move(What.ASK, 0));
        return Optional.ofNullable(lease.violation);
    }

    private SessionClock newClock() {
        return new SessionClock(time(), TIMING, SessionClock.sending(time()), granted());
    }

    private Duration granted() {
        return slips.contains(Slip.LEAVES_NO_MARGIN) ? TIMING.ttl().plusMillis(RESERVE) : TIMING.ttl();
    }

    /** How long after the send of its last confirmed heartbeat the holder may believe in its lease. */
    private long validMillis() {
        return granted().toMillis() - RESERVE;
    }

    private TimeSource time() {
        return slips.contains(Slip.COUNTS_BY_THE_WALL_CLOCK)
                ? new TimeSource(() -> wall * 1_000_000, () -> wall)
                : slips.contains(Slip.IGNORES_THE_WALL_CLOCK)
                        ? new TimeSource(() -> now * 1_000_000, () -> now)
                        : new TimeSource(() -> now * 1_000_000, () -> wall);
    }

    private void make(Move move) {
        switch (move.what()) {
            case PASS -> pass(move.millis());
            case STEP_WALL_CLOCK -> wall += move.millis() - 5_000L;
            case DRIFT -> driftPerMille = move.millis() % (2 * MOST_DRIFT + 1) - MOST_DRIFT;
            case SLEEP -> {
                wall += move.millis();
                atService += move.millis() * 1000L;
                sleeps++;
            }
            case SEND -> send();
            case ANSWER -> answer(move.millis() % 2 == 0 ? onTheirWay.size() - 1 : 0);
            case TROUBLE -> {
                clock.unanswered("no answer");
                trouble = true;
            }
            case OTHER_ACQUIRES -> {
                if (holder == null || atService >= expiresAtService) {
                    holder = other;
                }
            }
            case RELEASE -> release();
            case ASK -> ask();
        }
    }

    private void pass(long millis) {
        now += millis;
        wall += millis;
        atService += millis * (1000 + driftPerMille);
        over |= now - confirmedAt >= validMillis();
    }

    private void send() {
        SessionClock.Sending sending = clock.sending();
        if (atService < expiresAtService) {
            expiresAtService = atService + TTL * 1000;
            onTheirWay.add(new Sent(sending, now, sleeps));
        }
    }

    private void answer(int which) {
        if (onTheirWay.isEmpty()) {
            return;
        }
        Sent answered = onTheirWay.remove(which);
        if (over && slips.contains(Slip.REVIVES)) {
            clock = newClock();
        }
        clock.confirmed(
                slips.contains(Slip.COUNTS_FROM_THE_ANSWER) ? SessionClock.sending(time()) : answered.sending(),
                granted());
        if (!over && answered.at() > confirmedAt) {
            confirmedAt = answered.at();
            wallAtConfirmed = answered.sending().wallMillis();
            trouble = false;
            sleepsBeforeConfirmed = answered.sleepsBefore();
        }
        seen = clock.state();
    }

    private void release() {
        boolean was = other.equals(holder);
        lease.release();
        released = true;
        if (was && !other.equals(holder)) {
            violated("a release ended the lease of another holder");
        }
    }

    private void ask() {
        LeaseState state = slips.contains(Slip.BELIEVES_WHAT_A_THREAD_SAW) && seen != null
                ? seen
                : slips.contains(Slip.REVIVES) ? clock.state() : lease.state();
        boolean lost = state instanceof LeaseState.Lost;
        // Whoever has slept cannot know for how long: it is enough that it doubts.
        boolean slept = sleeps > sleepsBeforeConfirmed;
        boolean believed = !lost && !(slept && state instanceof LeaseState.Uncertain);
        if (believed && atService >= expiresAtService) {
            violated("believed at " + now + " ms, but the service may have given it away "
                    + (atService - expiresAtService) + " µs ago");
        }
        if (lost != (over || released)) {
            violated("it is " + state + " at " + now + " ms, confirmed at " + confirmedAt);
        }
        boolean doubtful = trouble || Math.abs((wall - wallAtConfirmed) - (now - confirmedAt)) > MARGIN;
        if (!lost && doubtful != (state instanceof LeaseState.Uncertain)) {
            violated("it is " + state + ", with clocks apart by " + ((wall - wallAtConfirmed) - (now - confirmedAt))
                    + " ms");
        }
        if (slips.isEmpty()) {
            askTheRest(lost);
        }
    }

    private void askTheRest(boolean lost) {
        long left = lost ? 0 : confirmedAt + validMillis() - now;
        if (lease.remaining().toMillis() != left) {
            violated("left are " + lease.remaining() + ", not " + left + " ms");
        }
        boolean begins = true;
        try {
            lease.begin().close();
        } catch (LeaseLostException e) {
            begins = false;
        }
        if (begins == lost) {
            violated("work may begin: " + begins + ", though it is lost: " + lost);
        }
    }

    private void violated(String words) {
        violation = Objects.requireNonNullElse(violation, words);
    }

    @Override
    public void confirm(Grant grant) {
        if (!grant.equals(holder)) {
            throw new LeaseLostException(grant, new LossReason(LossReason.Kind.REMOVED, "no such lease"));
        }
    }

    @Override
    public boolean release(Grant grant) {
        if (grant.equals(holder) || slips.contains(Slip.RELEASES_BY_NAME)) {
            holder = null;
            return true;
        }
        return false;
    }

    @Override
    public Duration ttl() {
        return TIMING.ttl();
    }

    @Override
    public ScheduledExecutorService timer() {
        return TIMER;
    }

    @Override
    public Executor listeners() {
        return Runnable::run;
    }
}
