package dev.fence.lab;

import dev.fence.lab.Actor.Stage;
import dev.fence.lab.Request.Change;
import dev.fence.lab.Request.Check;
import dev.fence.lab.Request.Release;
import dev.fence.lab.Request.Seal;
import dev.fence.lab.Write.Reading;
import java.util.ArrayList;
import java.util.List;

/** What processes say to the resource and to the lock service, what comes back, and what is still on its way. */
final class Exchange {

    private static final long CALL_TIMEOUT_MILLIS = 5_000;

    private final LockService locks;
    private final Resource resource;
    private final Witness witness;
    private final boolean releasesByHolder;
    private final List<Request> inFlight = new ArrayList<>();
    private int writes;

    Exchange(LockService locks, Resource resource, Witness witness, boolean releasesByHolder) {
        this.locks = locks;
        this.resource = resource;
        this.witness = witness;
        this.releasesByHolder = releasesByHolder;
    }

    boolean hasLateRequests() {
        return !inFlight.isEmpty();
    }

    String read(Actor actor, long now) {
        Reading reading = resource.read(lease(actor));
        if (reading == null) {
            return refused(actor, "read", now);
        }
        actor.basis = reading;
        actor.stage = resource.checksApart() ? Stage.CHECK : Stage.WRITE;
        actor.looked = false;
        return actor.name() + " reads #" + reading.number();
    }

    Request request(Actor actor, long now) {
        Acquisition lease = lease(actor);
        return switch (actor.stage) {
            case SEAL -> new Seal(lease, actor.looked ? actor.confirmedOn : confirm(actor, now));
            case CHECK -> new Check(lease);
            case WRITE -> new Change(lease, new Write(lease, ++writes, actor.basis, 1 - actor.basis.content()));
            case ACQUIRE, READ -> throw new IllegalStateException("nothing to send at " + actor.stage);
        };
    }

    /** The timeline is seen first, and then the lock service is asked. */
    int confirm(Actor actor, long now) {
        return !actor.cutOff && locks.isHeldBy(lease(actor), now) ? resource.timeline() : 0;
    }

    String send(Actor actor, Request request, long now) {
        Kind how = actor.nextRequest;
        actor.nextRequest = null;
        actor.looked = false;
        if (how == Kind.LOSE_REQUEST) {
            return "the " + request + " does not arrive";
        }
        if (how == Kind.DUPLICATE) {
            inFlight.add(request);
        }
        boolean done = apply(request, now);
        if (how == Kind.LOSE_REPLY) {
            return "the " + request + (done ? " takes effect, the answer is lost" : " is refused, the answer is lost")
                    + afterUnknown(actor, request, now);
        }
        if (!done) {
            return refused(actor, request.toString(), now);
        }
        acknowledge(actor, request);
        return "the " + request + " takes effect" + (how == Kind.DUPLICATE ? ", and is on its way once more" : "");
    }

    /** A seal may be repeated. Whoever does not know what became of a write stops, and gives the lock back. */
    private String afterUnknown(Actor actor, Request request, long now) {
        if (request instanceof Change) {
            stop(actor, now);
            return ", and " + actor.name() + " stops";
        }
        return "";
    }

    private boolean apply(Request request, long now) {
        if (request instanceof Seal seal) {
            return resource.seal(seal.by(), seal.confirmedOn());
        }
        if (request instanceof Check check) {
            return resource.check(check.by());
        }
        if (request instanceof Change change) {
            return resource.write(change.write());
        }
        if (locks.release(request.by(), now, releasesByHolder)) {
            witness.releasedForeign();
        }
        return true;
    }

    private void acknowledge(Actor actor, Request request) {
        if (request instanceof Change change) {
            resource.acknowledged(change.write());
            actor.stage = Stage.READ;
        } else if (request instanceof Check) {
            actor.stage = Stage.WRITE;
        } else {
            witness.acknowledgedSeal(request.by());
            actor.stage = Stage.READ;
        }
    }

    private String refused(Actor actor, String what, long now) {
        String told = actor.name() + " is refused: " + what;
        stop(actor, now);
        return told;
    }

    void stop(Actor actor, long now) {
        if (!actor.cutOff) {
            apply(new Release(lease(actor)), now);
        }
        actor.startOver();
    }

    String late(Actor actor, Request request, long now) {
        inFlight.add(request);
        if (request instanceof Release) {
            actor.startOver();
        } else {
            actor.looked = false;
            actor.givesUpAt = now + CALL_TIMEOUT_MILLIS;
        }
        return "the " + request + " is late";
    }

    /** One of the requests that are late arrives. */
    String deliver(int which, long now) {
        Request request = inFlight.remove(which % inFlight.size());
        boolean done = apply(request, now);
        return "the " + request + " arrives late and " + (done ? "takes effect" : "is refused");
    }

    static Acquisition lease(Actor actor) {
        Acquisition lease = actor.lease;
        if (lease == null) {
            throw new IllegalStateException(actor.name() + " has no lease");
        }
        return lease;
    }
}
