package dev.fence.lab;

import dev.fence.lab.Actor.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Some processes, a lock service and a resource, in virtual time. Events come from outside, one after the other; in between,
 * nothing happens but heartbeats, expiry and giving up. So the events alone decide what happens.
 */
final class World {

    static final int ACTORS = 3;

    private static final long[] WAITS_MILLIS = {1_000, 4_000, 8_000, 30_000};
    private static final long[] PAUSES_MILLIS = {25_000, 12_000, 4_000, 60_000};
    /** Who wakes up goes on with its work before its timers fire. */
    private static final long WAKING_MILLIS = 1_000;

    private final Witness witness = new Witness();
    private final LockService locks;
    private final Resource resource;
    private final LockLine line;
    private final Exchange exchange;
    private final Actor[] actors = new Actor[ACTORS];
    private final List<Message> inFlight = new ArrayList<>();
    private final @Nullable StringBuilder history;
    private final boolean bothMayForget;
    private long now;
    private boolean resourceForgot;

    World(Combination combination, boolean telling) {
        Set<Rule> dropped = combination.dropped();
        locks = combination.lock().make(witness, dropped);
        resource = combination.resource().make(witness, dropped);
        bothMayForget = combination.fault() == Fault.BOTH_LOST;
        for (int i = 0; i < ACTORS; i++) {
            actors[i] = new Actor(i, locks);
        }
        line = new LockLine(locks, inFlight, actors, resource.seals(), dropped);
        exchange = new Exchange(line, resource, witness, inFlight);
        history = telling ? new StringBuilder() : null;
    }

    Optional<Violation> violation() {
        return witness.violation();
    }

    /** What happened, one event a line; empty if it was not asked for. */
    String history() {
        return String.valueOf(history);
    }

    /** False if the event cannot happen now; then nothing changed. */
    boolean play(Event event) {
        Actor actor = actors[event.who()];
        if (!canHappen(event, actor)) {
            return false;
        }
        pass(1 + event.arg());
        tell(canHappen(event, actor) ? happen(event, actor) : "nothing comes of it any more");
        if (resource.countsHolders()
                && Stream.of(actors).filter(one -> one.believesAt(now)).count() > 1) {
            witness.twoHolders();
        }
        return true;
    }

    private String happen(Event event, Actor actor) {
        int arg = event.arg();
        int server = arg % locks.servers();
        return switch (event.kind()) {
            case STEP -> step(actor, null, 0);
            case LATE, LATE_REPLY, LOSE_REQUEST, LOSE_REPLY, DUPLICATE -> step(actor, event.kind(), server);
            case RELEASE -> {
                String told = actor.name() + (actor.granted ? " releases the lock" : " gives up");
                line.stop(actor, now);
                yield told;
            }
            case LATE_RELEASE -> {
                String told = "the release of " + actor.lease() + " is late" + line.at(server);
                line.stop(actor, Kind.LATE, server, now);
                yield told;
            }
            case LATE_RENEWAL -> renew(actor, Kind.LATE, server, "a heartbeat of %s is late");
            case LATE_RENEWAL_REPLY -> renew(actor, Kind.LATE_REPLY, server, "the answer to a heartbeat of %s is late");
            case DUPLICATE_RENEWAL -> renew(actor, Kind.DUPLICATE, server, "a heartbeat of %s is on its way once more");
            case WAIT -> idle(WAITS_MILLIS[arg]);
            case PAUSE -> pause(actor, PAUSES_MILLIS[arg]);
            case DELIVER -> deliver(inFlight.remove(arg % inFlight.size()));
            case CUT_OFF -> {
                actor.cutOff = true;
                yield actor.name() + " no longer reaches the lock service";
            }
            case GO_DEAF -> {
                actor.deaf = true;
                yield "the lock service no longer reaches " + actor.name();
            }
            case PROCESS_CLOCK_DRIFTS -> {
                actor.drifting = true;
                yield "the clock of " + actor.name() + " goes too slow from here on";
            }
            case CRASH -> {
                actor.startOver();
                actor.session = 0;
                actor.pausedUntil = now;
                yield actor.name() + " crashes and starts anew";
            }
            case SERVICE_CLOCK_STEPS_AHEAD, SERVICE_CLOCK_STEPS_BACK, SERVICE_CLOCK_DRIFTS -> {
                locks.clockGoesWrong(event.kind(), server, now);
                yield "the clock of lock server " + server
                        + switch (event.kind()) {
                            case SERVICE_CLOCK_STEPS_AHEAD -> " steps ahead";
                            case SERVICE_CLOCK_STEPS_BACK -> " steps back";
                            default -> " goes too fast from here on";
                        };
            }
            case SERVICE_RESTARTS -> {
                locks.restarts(arg, now);
                yield "lock server " + server + " restarts";
            }
            case SERVICE_FAILS_OVER -> {
                locks.failsOver(arg, now);
                yield "the lock service fails over from server " + arg;
            }
            case SERVICE_IS_RESTORED -> {
                locks.isRestored(arg);
                yield "the lock service is restored from a backup";
            }
            case FLOOR_IS_RAISED -> {
                locks.floorIsRaised();
                yield "the floor of the tokens is raised";
            }
            case RESOURCE_FAILS_OVER -> {
                resourceForgot = true;
                resource.failOver(arg);
                yield "the resource fails over to a standby that lacks " + arg + " changes";
            }
        };
    }

    private boolean canHappen(Event event, Actor actor) {
        return switch (event.kind()) {
            case STEP -> !actor.isWaiting() && (actor.stage != Stage.ACQUIRE || canAcquire(actor));
            case LATE, LOSE_REQUEST, LOSE_REPLY, DUPLICATE ->
                actor.stage == Stage.ACQUIRE
                        ? !actor.isWaiting() && canAcquire(actor)
                        : actor.isBusyAt(now) && actor.stage != Stage.READ && actor.believesAt(now);
            case LATE_REPLY ->
                actor.stage == Stage.ACQUIRE
                        ? !actor.isWaiting() && canAcquire(actor)
                        : actor.isBusyAt(now) && actor.stage == Stage.SEAL && actor.believesAt(now);
            case RELEASE, LATE_RELEASE -> actor.isBusyAt(now);
            case PAUSE -> actor.isBusyAt(now) && actor.granted;
            case LATE_RENEWAL, LATE_RENEWAL_REPLY, DUPLICATE_RENEWAL ->
                actor.acquisition != null && !actor.isPausedAt(now) && actor.sendsHeartbeats() && actor.isFreshAt(now);
            case CUT_OFF -> actor.isBusyAt(now) && !actor.cutOff;
            case GO_DEAF -> actor.isBusyAt(now) && !actor.deaf;
            case PROCESS_CLOCK_DRIFTS -> actor.isBusyAt(now) && !actor.drifting;
            case CRASH -> actor.acquisition != null;
            case DELIVER -> !inFlight.isEmpty();
            case WAIT, SERVICE_CLOCK_STEPS_AHEAD, SERVICE_CLOCK_STEPS_BACK, SERVICE_CLOCK_DRIFTS -> true;
            // When both forgot, nobody knows better (docs/model.md): that has a column of its own.
            case SERVICE_RESTARTS, SERVICE_FAILS_OVER, SERVICE_IS_RESTORED ->
                bothMayForget || !resourceForgot || !locks.forgetsTokens(event.kind());
            case FLOOR_IS_RAISED -> locks.hasFloor();
            case RESOURCE_FAILS_OVER -> resource.hasStandby() && (bothMayForget || !locks.hasForgottenTokens());
        };
    }

    /** Not while somebody is in the way and will go on renewing. */
    private boolean canAcquire(Actor actor) {
        if (actor.cutOff || actor.deaf) {
            return false;
        }
        long free = locks.freeAt(actor.behind);
        for (Actor other : actors) {
            if (other.acquisition != null
                    && other.sendsHeartbeats()
                    && other.nextHeartbeat < free
                    && locks.isKeptBy(other.acquisition, actor.behind, now)) {
                return false;
            }
        }
        return true;
    }

    // ------------------------------------------------------------------------------------------------- steps

    private String step(Actor actor, @Nullable Kind how, int from) {
        pass(Math.max(0, actor.pausedUntil - now));
        if (actor.stage == Stage.ACQUIRE) {
            return acquire(actor, how, from);
        }
        if (!actor.looked && !actor.believesAt(now)) {
            return overByItsClock(actor);
        }
        if (actor.stage == Stage.READ) {
            return exchange.read(actor, now);
        }
        if (how == Kind.LATE_REPLY) {
            exchange.confirm(actor, how, from, now);
            return "the answer to the confirmation of " + actor.lease() + " is late" + line.at(from);
        }
        return exchange.send(actor, how, now);
    }

    private String acquire(Actor actor, @Nullable Kind how, int from) {
        pass(Math.max(0, locks.freeAt(actor.behind) - now));
        line.acquire(actor, how, from, now);
        if (how == null && actor.behind != null && canAcquire(actor)) {
            pass(Math.max(0, locks.freeAt(actor.behind) - now));
            line.acquire(actor, null, 0, now);
        }
        return line.outcome(actor) + (how == null ? "" : ": " + trouble(how) + line.at(from));
    }

    private static String trouble(Kind how) {
        return switch (how) {
            case LATE -> "the request is late";
            case LATE_REPLY -> "the answer is late";
            case LOSE_REQUEST -> "the request does not arrive";
            case LOSE_REPLY -> "the answer is lost";
            default -> "the request is on its way once more";
        };
    }

    private String renew(Actor actor, Kind how, int from, String words) {
        String told = String.format(Locale.ROOT, words, actor.name()) + line.at(from);
        line.renew(actor, how, from, now);
        return told;
    }

    private String deliver(Message message) {
        return message instanceof Request request ? exchange.deliver(request) : line.deliver(message, now);
    }

    private String pause(Actor actor, long millis) {
        if (!actor.believesAt(now)) {
            return overByItsClock(actor);
        }
        exchange.confirm(actor, null, 0, now);
        actor.looked = true;
        actor.pausedUntil = now + millis;
        actor.nextHeartbeat = Math.max(actor.nextHeartbeat, actor.pausedUntil + WAKING_MILLIS);
        return actor.name() + " looks at its lease and stands still for " + millis / 1000 + " s";
    }

    private String overByItsClock(Actor actor) {
        line.stop(actor, now);
        return actor.name() + " stops: its lease is over by its own clock";
    }

    // -------------------------------------------------------------------------------------------------- time

    private String idle(long millis) {
        pass(millis);
        return millis / 1000 + " s pass";
    }

    /** Heartbeats come in the order of their times, so that none finds expired what another renewed before it. */
    private void pass(long millis) {
        now += millis;
        for (Actor next = nextToBeat(); next != null; next = nextToBeat()) {
            line.heartbeat(next, next.nextHeartbeat);
        }
        for (Actor actor : actors) {
            if (now >= actor.givesUpAt) {
                line.stop(actor, now);
            }
        }
    }

    private @Nullable Actor nextToBeat() {
        Actor next = null;
        for (Actor actor : actors) {
            boolean due =
                    actor.acquisition != null && (actor.granted || actor.session != 0) && actor.nextHeartbeat <= now;
            if (due && (next == null || actor.nextHeartbeat < next.nextHeartbeat)) {
                next = actor;
            }
        }
        return next;
    }

    private void tell(String what) {
        if (history != null) {
            history.append(String.format(Locale.ROOT, "+%d.%03d s  %s\n", now / 1000, now % 1000, what));
        }
    }
}
