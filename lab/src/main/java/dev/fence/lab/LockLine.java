package dev.fence.lab;

import dev.fence.lab.Actor.Stage;
import dev.fence.lab.Answer.Verdict;
import dev.fence.lab.Ask.What;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What processes say to the servers of the lock service, and what they make of the answers: one request to each server, as
 * many yeses as make a majority, all given back when that fails. It is the same for one server as for five.
 */
final class LockLine {

    static final long CALL_TIMEOUT_MILLIS = 5_000;

    private final LockService locks;
    private final List<Message> inFlight;
    private final Actor[] actors;
    private final boolean seals;
    private final Set<Rule> dropped;

    /** @param seals whether a holder seals before it reads */
    LockLine(LockService locks, List<Message> inFlight, Actor[] actors, boolean seals, Set<Rule> dropped) {
        this.locks = locks;
        this.inFlight = inFlight;
        this.actors = actors;
        this.seals = seals;
        this.dropped = dropped;
    }

    /**
     * Asks all servers that have not answered yet, or looks who is before it in the queue.
     *
     * @param how what becomes of the requests to {@code from} and the servers after it, null if nothing does
     */
    void acquire(Actor actor, @Nullable Kind how, int from, long now) {
        if (actor.acquisition == null) {
            begin(actor, now);
        }
        if (actor.behind != null && dropped.contains(Rule.A_GRANT_IS_READ)) {
            actor.verdicts[0] = Verdict.YES;
        } else {
            What what = actor.behind == null ? What.ACQUIRE : What.LOOK;
            for (int server = 0; server < locks.servers(); server++) {
                if (actor.verdicts[server] == null || what == What.LOOK) {
                    send(actor, new Ask(what, actor.lease(), server, now), server < from ? null : how, now);
                }
            }
        }
        if (how == Kind.LATE || how == Kind.LATE_REPLY) {
            actor.givesUpAt = now + CALL_TIMEOUT_MILLIS;
        }
        settle(actor, now);
    }

    /** To open a session is no message here: one that nobody knows of is in nobody's way. */
    private void begin(Actor actor, long now) {
        if (actor.session == 0 || !actor.isFreshAt(now)) {
            actor.opens(locks.openSession(now), now);
        }
        actor.nextHeartbeat = Math.max(actor.nextHeartbeat, now);
        actor.acquisition = new Acquisition(actor.index, actor.session);
    }

    /** A heartbeat is due. Whoever learns that its lease is over, from its clock or from the servers, stops. */
    void heartbeat(Actor actor, long now) {
        actor.nextHeartbeat = now + Actor.HEARTBEAT_MILLIS;
        if (!actor.isFreshAt(now)) {
            stop(actor, now);
        } else if (actor.sendsHeartbeats()) {
            renew(actor, null, 0, now);
        }
    }

    void renew(Actor actor, @Nullable Kind how, int from, long now) {
        Acquisition lease = actor.lease();
        actor.nextHeartbeat = now + Actor.HEARTBEAT_MILLIS;
        for (int server = 0; server < locks.servers(); server++) {
            boolean hit = server >= from && how != null;
            actor.renewalsOut += hit && how != Kind.DUPLICATE ? 1 : 0;
            send(actor, new Ask(What.RENEW, lease, server, now), hit ? how : null, now);
        }
        settle(actor, now);
    }

    /**
     * Asks whether the lease is still there.
     *
     * @param timeline of the resource, seen before
     */
    void confirm(Actor actor, int timeline, @Nullable Kind how, int from, long now) {
        actor.asksOn = timeline;
        actor.confirmations = 0;
        actor.confirmedOn = 0;
        if (how != null) {
            actor.givesUpAt = now + CALL_TIMEOUT_MILLIS;
        }
        for (int server = 0; server < locks.servers(); server++) {
            send(actor, new Ask(What.CONFIRM, actor.lease(), server, now), server < from ? null : how, now);
        }
    }

    /** Gives the lease back, or up. */
    void stop(Actor actor, long now) {
        stop(actor, null, 0, now);
    }

    void stop(Actor actor, @Nullable Kind how, int from, long now) {
        Acquisition lease = actor.lease();
        for (int server = 0; server < locks.servers(); server++) {
            send(actor, new Ask(What.RELEASE, lease, server, now), server < from ? null : how, now);
        }
        if (!actor.wasHeard()) {
            actor.session = 0;
        }
        actor.startOver();
    }

    private void send(Actor actor, Ask ask, @Nullable Kind how, long now) {
        if (actor.cutOff || how == Kind.LOSE_REQUEST) {
            return;
        }
        if (how == Kind.LATE || how == Kind.DUPLICATE) {
            inFlight.add(ask);
        }
        if (how == Kind.LATE) {
            return;
        }
        Answer answer = locks.handle(ask, now);
        if (how == Kind.LATE_REPLY) {
            inFlight.add(answer);
        } else if (how != Kind.LOSE_REPLY) {
            hear(answer, now);
        }
    }

    /** What was late arrives at last. */
    String deliver(Message message, long now) {
        Answer answer = message instanceof Ask ask ? locks.handle(ask, now) : (Answer) message;
        Acquisition by = answer.to().by();
        Actor actor = actors[by.actor()];
        boolean before = actor.granted;
        String told = "the " + message + " arrives late" + at(answer.to());
        if (actor.acquisition == by && answer.to().what() == What.RENEW && actor.renewalsOut > 0) {
            actor.renewalsOut--;
            actor.nextHeartbeat = now + Actor.HEARTBEAT_MILLIS;
        }
        hear(answer, now);
        settle(actor, now);
        if (actor.granted && !before) {
            return told + ": " + acquired(actor);
        }
        return told + (answer.verdict() == Verdict.NO ? " and is refused" : "");
    }

    private void hear(Answer answer, long now) {
        Ask ask = answer.to();
        Actor actor = actors[ask.by().actor()];
        if (actor.acquisition != ask.by() || actor.deaf) {
            return;
        }
        boolean yes = answer.verdict() == Verdict.YES;
        long counted = dropped.contains(Rule.A_DEADLINE_COUNTS_FROM_BEFORE_THE_SEND) ? now : ask.sentAt();
        switch (ask.what()) {
            case ACQUIRE, LOOK -> {
                if (yes && !locks.hasSessions()) {
                    actor.heard(ask.server(), counted);
                }
                heardVerdict(actor, answer);
            }
            case RENEW -> {
                if (yes) {
                    actor.heard(ask.server(), counted);
                } else {
                    actor.heardNo(ask.server());
                }
            }
            case CONFIRM -> {
                if (yes && ++actor.confirmations == locks.quorum()) {
                    actor.confirmedOn = actor.asksOn;
                    actor.looked |= actor.isWaiting();
                    actor.givesUpAt = LockService.NEVER;
                }
            }
            case RELEASE -> {}
        }
    }

    private static void heardVerdict(Actor actor, Answer answer) {
        if (actor.granted) {
            return;
        }
        actor.verdicts[answer.to().server()] = answer.verdict();
        switch (answer.verdict()) {
            case YES -> actor.token = Math.max(actor.token, answer.token());
            case QUEUED -> {
                actor.behind = answer.behind();
                actor.givesUpAt = LockService.NEVER;
            }
            case NO -> {}
        }
    }

    /** Draws the conclusion from what was heard. */
    private void settle(Actor actor, long now) {
        if (actor.acquisition == null) {
            return;
        }
        boolean refused = actor.count(Verdict.NO) > locks.servers() - locks.quorum();
        if (!actor.granted && actor.count(Verdict.YES) >= locks.quorum()) {
            actor.granted = actor.isFreshAt(now);
            refused = !actor.granted;
            actor.lease().grantedWith(actor.token);
            actor.stage = seals ? Stage.SEAL : Stage.READ;
            actor.behind = null;
            actor.givesUpAt = LockService.NEVER;
            actor.nextHeartbeat = locks.hasSessions() ? actor.nextHeartbeat : now + Actor.HEARTBEAT_MILLIS;
        }
        boolean lost = (actor.granted || locks.hasSessions()) && !actor.wasHeard();
        if (lost || (refused && !actor.granted)) {
            actor.session = 0;
            stop(actor, now);
        }
    }

    /** What came of asking for the lock. */
    String outcome(Actor actor) {
        Acquisition behind = actor.behind;
        if (actor.granted) {
            return acquired(actor);
        }
        if (behind != null) {
            return actor.name() + " waits behind " + behind.name();
        }
        return actor.name() + (actor.acquisition == null ? " does not get the lock" : " has no answer yet");
    }

    private String acquired(Actor actor) {
        int yes = actor.count(Verdict.YES);
        return actor.name() + " acquires the lock, "
                + (yes == locks.servers() ? "" : yes + " of " + locks.servers() + " servers, ")
                + "token " + actor.lease().token();
    }

    /** Which servers a fault hits, where there are several. */
    String at(int from) {
        if (locks.servers() == 1) {
            return "";
        }
        return from == 0 ? " at all servers" : " at servers " + from + " to " + (locks.servers() - 1);
    }

    private String at(Ask ask) {
        return locks.servers() == 1 ? "" : " at server " + ask.server();
    }
}
