package dev.fence.properties;

import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.LeaseSettings;
import dev.fence.SessionTiming;
import dev.fence.fixtures.InMemoryLeaseService;
import dev.fence.fixtures.InMemoryLeases;
import dev.fence.fixtures.VirtualTime;
import dev.fence.properties.Timeline.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Plays a timeline: one event after the other, in virtual time, so that the timeline alone decides what happens. Also a write
 * that stands inside its body moves only when its event comes.
 */
final class World implements AutoCloseable {

    private static final String LEASE = "payouts";
    private static final SessionTiming TIMING = SessionTiming.DEFAULTS;
    private static final LeaseSettings SETTINGS = LeaseSettings.DEFAULTS.withGrace(Duration.ZERO);
    private static final Duration STEP =
            Duration.ofMillis(TIMING.heartbeatEvery().toMillis() / 20 * 10);

    private static final Duration TICK = STEP.dividedBy(10);

    private final Subject subject;
    private final VirtualTime time = new VirtualTime();
    private final InMemoryLeaseService home = new InMemoryLeaseService("home", time, TIMING);
    private final InMemoryLeaseService abroad = new InMemoryLeaseService("abroad", time, TIMING);
    private final List<Actor> actors = new ArrayList<>();
    private final long beginning = time.nanos();
    private final History history;
    private final Operations operations;

    private World(int processes, boolean bare, Subject subject) {
        this.subject = subject;
        if (!bare) {
            createGuard();
        }
        for (char name = 'A'; name < 'A' + processes; name++) {
            actors.add(new Actor(String.valueOf(name), home.connect(), abroad.connect()));
        }
        history = new History(processes, bare, subject.look());
        operations = new Operations(subject, history, actors, this::isHeldAtService);
    }

    static History play(Timeline timeline, Subject subject) {
        try (World world = new World(timeline.processes(), timeline.bare(), subject)) {
            timeline.events().forEach(world::play);
            return world.history;
        }
    }

    /** Plays what is written: what cannot happen is a step of its own that says so, and changes nothing. */
    static History play(Script script, Subject subject) {
        try (World world = new World(script.processes(), script.bare(), subject)) {
            script.actions().forEach(world::play);
            return world.history;
        }
    }

    private void createGuard() {
        try (InMemoryLeases founder = home.connect()) {
            Lease lease = founder.tryAcquire(LEASE, SETTINGS).orElseThrow();
            subject.fence().create(lease, subject.resource());
        }
    }

    private void play(Event event) {
        List<Actor> able = actors.stream().filter(p -> p.can(event.kind())).toList();
        if (able.isEmpty()) {
            return;
        }
        Actor named = actors.get(event.who() % actors.size());
        Actor taker = able.contains(named) ? named : able.get(event.who() % able.size());
        if (event.kind().by() == Kind.By.TIME) {
            pass(event.kind() == Kind.EXPIRE ? TIMING.ttl().plusMillis(1) : TICK.multipliedBy(event.arg() + 1L));
        }
        Action action = taker.action(event, now());
        Told told = take(action, taker);
        if (told != null) {
            history.took(new Event(event.kind(), actors.indexOf(taker), event.arg()));
            history.add(action, told, subject.look());
        }
    }

    private void play(Action action) {
        pass(Duration.ofMillis(action.at() - now()));
        Actor p = actors.get(
                action.kind().by() == Kind.By.PROCESS ? action.actor().charAt(0) - 'A' : 0);
        Told told = p.can(action) ? take(action, p) : null;
        history.add(action, told == null ? new Told(action.actor() + " cannot " + action) : told, subject.look());
    }

    /** Null if there was nothing to do. */
    private @Nullable Told take(Action action, Actor p) {
        return switch (action.kind()) {
            case ACQUIRE -> acquire(p, p.home, LEASE);
            case ACQUIRE_ANOTHER ->
                action.argument().equals("name") ? acquire(p, p.home, "refunds") : acquire(p, p.abroad, LEASE);
            case RELEASE ->
                new Told(p.name + " releases the lease with token " + p.lease().token() + ": " + p.release());
            case CREATE -> operations.now(p, Op.CREATE);
            case SEAL -> operations.now(p, Op.SEAL);
            case READ -> operations.now(p, Op.READ);
            case WRITE -> operations.now(p, Op.WRITE);
            case UPDATE -> operations.now(p, Op.UPDATE);
            case ROLL_BACK -> operations.now(p, Op.ROLL_BACK);
            case WRITE_BACK -> operations.now(p, Op.WRITE_BACK);
            case CHECK -> operations.check(p, Op.of(action.argument()));
            case PARK -> operations.park(p, Op.of(action.argument()));
            case GO_ON -> operations.goOn(p);
            case HAND_OVER -> operations.handOver(p);
            case WORKER_WRITE -> operations.workerWrites(p);
            case SEND_LATE -> operations.sendLate(p, Op.of(action.argument()));
            case ARRIVE -> operations.arrive(action.argument().equals("as-a-copy"));
            case FAIL_OVER -> operations.failOver();
            case CRASH -> crash(p);
            case FORGED_WRITE -> operations.forgedWrite(action.argument());
            case PAUSE -> pause(p);
            case RESUME -> resume(p);
            case TICK -> new Told("time passes");
            case EXPIRE -> new Told("more than a time to live passes");
            case LOSE_REPLY -> loseReply(p);
            case STEP_WALL_CLOCK -> stepWallClock(action.argument());
            case CUT_OFF -> cutOff(p, true, " is cut off from the lease service");
            case RECONNECT -> cutOff(p, false, " reaches the lease service again");
            case GIVE_AWAY -> giveAway();
            case RESTORE -> restore(Integer.parseInt(action.argument()));
        };
    }

    private static Told acquire(Actor p, InMemoryLeases from, String name) {
        if (p.cutOff) {
            return new Told(p.name + " cannot ask for the lease: cut off");
        }
        Optional<Lease> lease = from.tryAcquire(name, SETTINGS);
        lease.ifPresent(p::got);
        return new Told(
                lease.map(l -> p.name + " acquires " + name + " from " + from.source() + " with token " + l.token())
                        .orElse(p.name + " asks for the lease: taken"));
    }

    private static Told pause(Actor p) {
        p.paused = true;
        return new Told(p.name + " is paused");
    }

    private Told crash(Actor p) {
        p.crash(home.connect(), abroad.connect());
        return new Told(p.name + " is killed and starts anew");
    }

    private Told resume(Actor p) {
        p.paused = false;
        String runs = p.name + " runs again";
        return p.isStanding() ? operations.goOn(p).after(runs + "; ") : new Told(runs);
    }

    private static Told cutOff(Actor p, boolean yes, String words) {
        p.cutOff(yes);
        return new Told(p.name + words);
    }

    private static Told loseReply(Actor p) {
        p.replyLost = true;
        return new Told("the answer to the next write of " + p.name + " will be lost");
    }

    private long now() {
        return Duration.ofNanos(time.nanos() - beginning).toMillis();
    }

    /** Heartbeats go at fixed times: what passes at once and what passes in two parts comes to the same. */
    private void pass(Duration duration) {
        long end = now() + duration.toMillis();
        while (now() < end) {
            long nextHeartbeat = (now() / STEP.toMillis() + 1) * STEP.toMillis();
            time.advance(Duration.ofMillis(Math.min(nextHeartbeat, end) - now()));
            if (now() == nextHeartbeat) {
                actors.forEach(Actor::heartbeat);
            }
        }
    }

    private Told stepWallClock(String by) {
        time.stepWallClock(Duration.ofSeconds(by.endsWith("h") ? 3600 : 1).multipliedBy(by.startsWith("-") ? -1 : 1));
        return new Told("the wall clock is stepped by " + by);
    }

    private @Nullable Told giveAway() {
        Grant holder = home.holderOf(LEASE);
        home.giveAway(LEASE);
        return holder == null
                ? null
                : new Told("the service gives the lease with token " + holder.token() + " away, telling nobody");
    }

    private @Nullable Told restore(int back) {
        Grant guard = history.last().guard();
        if (guard == null || !guard.source().equals("home")) {
            return null;
        }
        long to = Math.max(0, guard.token().value() - back);
        home.restoreTo(to);
        return new Told("the service is restored from a backup: its next token is " + (to + 1));
    }

    private boolean isHeldAtService(Grant grant) {
        InMemoryLeaseService service = grant.source().equals("home") ? home : abroad;
        return grant.equals(service.holderOf(grant.leaseName()));
    }

    @Override
    public void close() {
        actors.forEach(Actor::end);
    }
}
