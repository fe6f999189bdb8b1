package dev.fence.lab;

import dev.fence.lab.Actor.Stage;
import dev.fence.lab.Request.Release;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Some processes, a lock service and a resource, in virtual time. Events come from outside, one after the other; in between,
 * nothing happens but heartbeats, expiry and giving up. So the events alone decide what happens.
 */
final class World {

    static final int ACTORS = 3;

    private static final long[] WAITS_MILLIS = {1_000, 4_000, 11_000, 30_000};
    private static final long[] PAUSES_MILLIS = {25_000, 12_000, 4_000, 60_000};
    private static final long HEARTBEAT_MILLIS = LockService.TTL_MILLIS / 3;

    private final Witness witness = new Witness();
    private final LockService locks;
    private final Resource resource;
    private final Exchange exchange;
    private final Actor[] actors = new Actor[ACTORS];
    private final @Nullable StringBuilder history;
    private long now;
    private boolean resourceForgot;

    /** @param dropped rules of our protocol that are left out */
    World(LockKind lock, ResourceKind kind, Set<Rule> dropped, boolean telling) {
        locks = lock.make();
        resource = kind.make(witness, dropped);
        exchange = new Exchange(locks, resource, witness, !dropped.contains(Rule.A_RELEASE_IS_BY_HOLDER));
        for (int i = 0; i < ACTORS; i++) {
            actors[i] = new Actor(i);
        }
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
        return true;
    }

    private String happen(Event event, Actor actor) {
        return switch (event.kind()) {
            case STEP -> step(actor);
            case RELEASE -> release(actor);
            case WAIT -> idle(WAITS_MILLIS[event.arg()]);
            case PAUSE -> pause(actor, PAUSES_MILLIS[event.arg()]);
            case LATE -> exchange.late(actor, exchange.request(actor, now), now);
            case LATE_RELEASE -> exchange.late(actor, new Release(Exchange.lease(actor)), now);
            case DELIVER -> exchange.deliver(event.arg(), now);
            case LOSE_REQUEST, LOSE_REPLY, DUPLICATE -> {
                actor.nextRequest = event.kind();
                yield step(actor);
            }
            case CUT_OFF -> {
                actor.cutOff = true;
                yield actor.name() + " no longer reaches the lock service";
            }
            case PROCESS_CLOCK_DRIFTS -> {
                actor.drifting = true;
                yield "the clock of " + actor.name() + " goes too slow from here on";
            }
            case CRASH -> {
                actor.startOver();
                actor.pausedUntil = now;
                yield actor.name() + " crashes and starts anew";
            }
            case SERVICE_CLOCK_STEPS -> {
                locks.clockSteps(event.arg(), now);
                yield "the clock of lock server " + event.arg() + " steps ahead";
            }
            case SERVICE_RESTARTS -> {
                locks.restarts(event.arg(), now);
                yield "lock server " + event.arg() + " restarts";
            }
            case SERVICE_FAILS_OVER -> {
                locks.failsOver(event.arg(), now);
                yield "the lock service fails over from server " + event.arg();
            }
            case SERVICE_IS_RESTORED -> {
                locks.isRestored(event.arg());
                yield "the lock service is restored from a backup";
            }
            case RESOURCE_FAILS_OVER -> {
                resourceForgot = true;
                resource.failOver(event.arg());
                yield "the resource fails over to a standby that lacks " + event.arg() + " changes";
            }
        };
    }

    private boolean canHappen(Event event, Actor actor) {
        return switch (event.kind()) {
            case STEP -> !actor.isWaiting() && (actor.stage != Stage.ACQUIRE || canAcquire(actor));
            case RELEASE, LATE_RELEASE, PAUSE -> isWorking(actor);
            case LATE, LOSE_REQUEST, LOSE_REPLY, DUPLICATE ->
                isWorking(actor) && actor.stage != Stage.READ && actor.believesAt(now);
            case CUT_OFF -> isWorking(actor) && !actor.cutOff;
            case PROCESS_CLOCK_DRIFTS -> isWorking(actor) && !actor.drifting;
            case CRASH -> actor.lease != null;
            case DELIVER -> exchange.hasLateRequests();
            case WAIT, SERVICE_CLOCK_STEPS -> true;
            // At most one of the two may forget: when both did, nobody knows better (docs/model.md).
            case SERVICE_RESTARTS, SERVICE_FAILS_OVER -> !resourceForgot || !locks.forgetsTokensWhenItFails();
            case SERVICE_IS_RESTORED -> !resourceForgot;
            case RESOURCE_FAILS_OVER -> resource.hasStandby() && !locks.hasForgottenTokens();
        };
    }

    private boolean isWorking(Actor actor) {
        return actor.lease != null && !actor.isWaiting() && !actor.isPausedAt(now);
    }

    /** Not while somebody has the lock and will go on renewing it. */
    private boolean canAcquire(Actor actor) {
        if (actor.cutOff) {
            return false;
        }
        long free = locks.freeAt();
        for (Actor other : actors) {
            Acquisition lease = other.lease;
            boolean wakesInTime = other.pausedUntil <= free;
            if (lease != null && other.sendsHeartbeats() && wakesInTime && locks.isHeldBy(lease, now)) {
                return false;
            }
        }
        return true;
    }

    // ------------------------------------------------------------------------------------------------- steps

    private String step(Actor actor) {
        pass(Math.max(0, actor.pausedUntil - now));
        if (actor.stage == Stage.ACQUIRE) {
            return acquire(actor);
        }
        if (!actor.looked && !actor.believesAt(now)) {
            actor.startOver();
            return actor.name() + " stops: its lease is over by its own clock";
        }
        return actor.stage == Stage.READ
                ? exchange.read(actor, now)
                : exchange.send(actor, exchange.request(actor, now), now);
    }

    private String acquire(Actor actor) {
        pass(Math.max(0, locks.freeAt() - now));
        Acquisition acquisition = locks.acquire(actor.index, now);
        actor.granted(acquisition, resource.seals(), now);
        return actor.name() + " acquires the lock, token " + acquisition.token();
    }

    private String release(Actor actor) {
        String told = actor.name() + " releases the lock";
        exchange.stop(actor, now);
        return told;
    }

    private String pause(Actor actor, long millis) {
        if (!actor.believesAt(now)) {
            actor.startOver();
            return actor.name() + " stops: its lease is over by its own clock";
        }
        actor.confirmedOn = exchange.confirm(actor, now);
        actor.looked = true;
        actor.pausedUntil = now + millis;
        return actor.name() + " looks at its lease and stands still for " + millis / 1000 + " s";
    }

    // -------------------------------------------------------------------------------------------------- time

    private String idle(long millis) {
        pass(millis);
        return millis / 1000 + " s pass";
    }

    private void pass(long millis) {
        now += millis;
        for (Actor actor : actors) {
            if (actor.lease != null && now >= actor.pausedUntil) {
                heartbeat(actor, Exchange.lease(actor));
            }
        }
    }

    /** All heartbeats since the last event at once; that they are a third of a time to live apart shows only in what is noticed. */
    private void heartbeat(Actor actor, Acquisition lease) {
        long from = Math.max(actor.pausedUntil, actor.heardAt);
        if (actor.sendsHeartbeats()) {
            if (locks.isHeldBy(lease, Math.min(from, now))) {
                locks.renew(lease, now);
                actor.heardAt = now;
            } else if (now - from >= HEARTBEAT_MILLIS) {
                actor.startOver();
            }
        }
        if (now >= actor.givesUpAt) {
            exchange.stop(actor, now);
        }
    }

    private void tell(String what) {
        if (history != null) {
            history.append(String.format(Locale.ROOT, "+%d.%03d s  %s\n", now / 1000, now % 1000, what));
        }
    }
}
