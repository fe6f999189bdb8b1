package dev.fence.lab;

import dev.fence.lab.Actor.Stage;
import dev.fence.lab.Request.Change;
import dev.fence.lab.Request.Check;
import dev.fence.lab.Request.Seal;
import dev.fence.lab.Write.Reading;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What processes say to the resource, and what comes back. */
final class Exchange {

    private final LockLine line;
    private final Resource resource;
    private final Witness witness;
    private final List<Message> inFlight;
    private int writes;

    Exchange(LockLine line, Resource resource, Witness witness, List<Message> inFlight) {
        this.line = line;
        this.resource = resource;
        this.witness = witness;
        this.inFlight = inFlight;
    }

    String read(Actor actor, long now) {
        Reading reading = resource.read(actor.lease());
        if (reading == null) {
            return refused(actor, "read", now);
        }
        actor.basis = reading;
        actor.stage = resource.checksApart() ? Stage.CHECK : Stage.WRITE;
        actor.looked = false;
        return actor.name() + " reads #" + reading.number();
    }

    /** The timeline is seen first, and then the lock service is asked. */
    void confirm(Actor actor, @Nullable Kind how, int from, long now) {
        line.confirm(actor, resource.timeline(), how, from, now);
    }

    /** The next request of a process. */
    String send(Actor actor, @Nullable Kind how, long now) {
        if (actor.stage == Stage.SEAL && !actor.looked) {
            confirm(actor, null, 0, now);
        }
        Request request = request(actor);
        actor.looked = false;
        if (how == Kind.LATE) {
            inFlight.add(request);
            actor.givesUpAt = now + LockLine.CALL_TIMEOUT_MILLIS;
            return "the " + request + " is late";
        }
        if (how == Kind.LOSE_REQUEST) {
            return "the " + request + " does not arrive";
        }
        if (how == Kind.DUPLICATE) {
            inFlight.add(request);
        }
        boolean done = apply(request);
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

    private Request request(Actor actor) {
        Acquisition lease = actor.lease();
        return switch (actor.stage) {
            case SEAL -> new Seal(lease, actor.confirmedOn);
            case CHECK -> new Check(lease);
            case WRITE -> new Change(lease, new Write(lease, ++writes, actor.basis, 1 - actor.basis.content()));
            case ACQUIRE, READ -> throw new IllegalStateException("nothing to send at " + actor.stage);
        };
    }

    /** A seal may be repeated. Whoever does not know what became of a write stops, and gives the lock back. */
    private String afterUnknown(Actor actor, Request request, long now) {
        if (request instanceof Change) {
            line.stop(actor, now);
            return ", and " + actor.name() + " stops";
        }
        return "";
    }

    private boolean apply(Request request) {
        if (request instanceof Seal seal) {
            return resource.seal(seal.by(), seal.confirmedOn());
        }
        if (request instanceof Change change) {
            return resource.write(change.write());
        }
        return resource.check(request.by());
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
        line.stop(actor, now);
        return told;
    }

    /** A request that was late arrives. */
    String deliver(Request request) {
        return "the " + request + " arrives late and " + (apply(request) ? "takes effect" : "is refused");
    }
}
