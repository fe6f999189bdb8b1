package dev.fence.properties;

import dev.fence.FencedWriter;
import dev.fence.FencingToken;
import dev.fence.Grant;
import dev.fence.LeaseLostException;
import dev.fence.properties.Actor.Open;
import dev.fence.properties.Actor.Pending;
import dev.fence.properties.Oracle.Behind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What processes ask of the fence: at once, in two steps with a pause between, or standing inside the body. */
final class Operations {

    private static final int MOST_REPEATS = 3;

    private final Subject subject;
    private final History history;
    private final List<Actor> actors;
    private final Predicate<Grant> confirmedByService;
    private final Contents contents = new Contents();
    private final Deque<Late> inTheNetwork = new ArrayDeque<>();
    private boolean newTimeline;
    private long lastNumber;

    /** @param confirmedByService whether the lease service would now say that a grant holds its lease */
    Operations(Subject subject, History history, List<Actor> actors, Predicate<Grant> confirmedByService) {
        this.subject = subject;
        this.history = history;
        this.actors = actors;
        this.confirmedByService = confirmedByService;
    }

    /** A request that was sent and has not arrived. */
    private record Late(String from, Op op, Grant grant, long number, long replaces) {}

    /** How an operation ended, as far as its caller knows. */
    record End(Verdict verdict, long value, String words) {

        static End of(LongSupplier operation) {
            try {
                return new End(Verdict.DONE, operation.getAsLong(), "");
            } catch (RuntimeException e) {
                return new End(Verdict.of(e), 0, String.valueOf(e));
            }
        }
    }

    /** Busy means that the same may be tried again, and a real store on a loaded machine can be busy for no reason of ours. */
    private End end(LongSupplier operation) {
        End end = End.of(operation);
        for (int i = 0; i < MOST_REPEATS && end.verdict() == Verdict.BUSY && !anyOpenBody(); i++) {
            end = End.of(operation);
        }
        return end;
    }

    private boolean anyOpenBody() {
        return actors.stream().anyMatch(Actor::isInsideBody);
    }

    Told now(Actor p, Op op) {
        return send(p, new Pending(op, p.writer, p.read));
    }

    /** Asks the lease, and has the thread stand there. */
    Told check(Actor p, Op op) {
        String who = p.name + " checks its lease before it sends: " + op;
        try {
            p.lease().checkNow();
        } catch (LeaseLostException e) {
            return new Told(who + ", lost");
        }
        p.pending = new Pending(op, p.writer, p.read);
        return new Told(who + ", good");
    }

    Told goOn(Actor p) {
        Pending pending = p.pending;
        if (pending == null) {
            return leaveBody(p, p.open());
        }
        p.pending = null;
        return send(p, pending).after("without another look, ");
    }

    private Told send(Actor p, Pending what) {
        Op op = what.op();
        Behind behind = behind(p);
        Attempt attempt;
        if (op == Op.CREATE || op == Op.SEAL) {
            attempt = attempt(op, p.lease().grant(), 0, 0, behind, end(() -> createOrSeal(p, op)));
        } else {
            FencedWriter<Register> writer = Actor.present(what.writer());
            long number = newNumber(op, writer.grant());
            long replaces = op == Op.UPDATE ? Actor.present(what.read()) : 0;
            End end = asHeardBy(p, op, end(() -> body(writer, op, value(op, number), () -> {})));
            attempt = attempt(op, writer.grant(), number, replaces, behind, end);
        }
        p.lease().forget();
        p.learn(attempt);
        return Told.of(p.name, attempt);
    }

    /** An answer that is lost leaves its caller with an outcome that is unknown, whatever became of the write. */
    private static End asHeardBy(Actor p, Op op, End end) {
        if (!p.replyLost || !op.writes() || end.verdict() == Verdict.LEASE_LOST) {
            return end;
        }
        p.replyLost = false;
        return new End(Verdict.UNKNOWN, 0, "the answer was lost: " + end.verdict());
    }

    private Register.Value value(Op op, long number) {
        return contents.value(op, number, history.last().landed());
    }

    private long createOrSeal(Actor p, Op op) {
        if (op == Op.CREATE) {
            subject.fence().create(p.lease(), subject.resource());
        } else {
            p.writer = subject.fence().seal(p.lease(), subject.resource());
            p.read = null;
        }
        return 0;
    }

    /** A write that stands inside its body when this returns, if the fence let it come that far. */
    Told park(Actor p, Op op) {
        FencedWriter<Register> writer = Actor.present(p.writer);
        Long read = p.read;
        long number = newNumber(op, writer.grant());
        Behind behind = behind(p);
        Standing<End> standing = new Standing<>(stand -> End.of(() -> body(writer, op, value(op, number), stand)));
        Open open = new Open(standing, op, writer.grant(), number, op == Op.UPDATE ? Actor.present(read) : 0);
        if (standing.isInside()) {
            p.open = open;
            return new Told(p.name + ": " + op + " #" + number + " with token "
                    + writer.grant().token() + " stands inside its body");
        }
        End end = asHeardBy(p, op, standing.end());
        return Told.of(p.name, attempt(op, open.grant(), number, open.replaces(), behind, end));
    }

    private Told leaveBody(Actor p, Open open) {
        // The lease was asked before the body began: no answer of it can end the write any more.
        Behind behind = behind(p) == Behind.CONFIRMED_LEASE ? Behind.CONFIRMED_LEASE : Behind.LEASE;
        End end = asHeardBy(p, open.op(), open.standing().end());
        Attempt attempt = attempt(open.op(), open.grant(), open.number(), open.replaces(), behind, end);
        p.open = null;
        p.learn(attempt);
        return Told.of(p.name, attempt).after("leaving the body, ");
    }

    /** The sender looks at its lease, sends, and waits in vain: what becomes of the write it does not know. */
    Told sendLate(Actor p, Op op) {
        Behind behind = behind(p);
        Grant grant = Actor.present(p.writer).grant();
        long number = newNumber(op, grant);
        long replaces = op == Op.UPDATE ? Actor.present(p.read) : 0;
        End end = End.of(() -> {
            p.lease().begin().close();
            inTheNetwork.add(new Late(p.name, op, grant, number, replaces));
            return 0;
        });
        End heard = end.verdict() == Verdict.DONE ? new End(Verdict.UNKNOWN, 0, "no answer came") : end;
        return Told.of(p.name, attempt(op, grant, number, replaces, behind, heard));
    }

    /** What the resource sees of it is the grant: whoever sent it may have gone on, or be gone. */
    @Nullable
    Told arrive(boolean asCopy) {
        Late late = asCopy ? inTheNetwork.peek() : inTheNetwork.poll();
        if (late == null) {
            return null;
        }
        long number = asCopy ? newNumber(late.op(), late.grant()) : late.number();
        FencedWriter<Register> writer = subject.fence().attach(late.grant(), subject.resource());
        End end = end(() -> body(writer, late.op(), value(late.op(), number), () -> {}));
        Attempt attempt = attempt(late.op(), late.grant(), number, late.replaces(), Behind.GRANT, end);
        return Told.of((asCopy ? "a copy of a" : "a") + " request that " + late.from() + " had sent", attempt);
    }

    Told failOver() {
        actors.forEach(Actor::breakBody);
        subject.failOver();
        newTimeline = history.last().guard() != null;
        return new Told("the database continues on another timeline");
    }

    Told handOver(Actor p) {
        Grant grant = Grant.parse(p.lease().grant().toString());
        p.worker = subject.fence().attach(grant, subject.resource());
        return new Told(p.name + " hands the grant with token " + grant.token() + " to its worker");
    }

    Told workerWrites(Actor p) {
        return writeUnder(p.name + "'s worker", Actor.present(p.worker));
    }

    /** A write under what the guard carries, but for one thing. */
    @Nullable
    Told forgedWrite(String what) {
        Grant guard = history.last().guard();
        if (guard == null) {
            return null;
        }
        FencingToken next = new FencingToken(guard.token().value() + 1);
        return switch (what) {
            case "holder" ->
                forged("holder", new Grant(guard.source(), guard.leaseName(), guard.token(), Grant.newHolder()));
            case "source" -> forged("source", new Grant("abroad", guard.leaseName(), guard.token(), guard.holder()));
            case "name" -> forged("lease name", new Grant(guard.source(), "refunds", guard.token(), guard.holder()));
            default -> forged("token", new Grant(guard.source(), guard.leaseName(), next, guard.holder()));
        };
    }

    private Told forged(String what, Grant grant) {
        String who = "somebody with the guard's grant but another " + what;
        return writeUnder(who, subject.fence().attach(grant, subject.resource()));
    }

    private Told writeUnder(String who, FencedWriter<Register> writer) {
        long number = newNumber(Op.WRITE, writer.grant());
        End end = end(() -> body(writer, Op.WRITE, value(Op.WRITE, number), () -> {}));
        return Told.of(who, attempt(Op.WRITE, writer.grant(), number, 0, Behind.GRANT, end));
    }

    private static long body(FencedWriter<Register> writer, Op op, Register.Value value, Runnable stand) {
        return writer.<Long, RuntimeException>call(register -> {
            if (op == Op.READ) {
                return register.read();
            }
            register.write(value);
            stand.run();
            if (op == Op.ROLL_BACK) {
                throw new Verdict.BodyFailed();
            }
            return 0L;
        });
    }

    /** Nobody else moved meanwhile: the last sight is the guard as the operation found it. */
    private Attempt attempt(Op op, Grant grant, long number, long replaces, Behind behind, End end) {
        Set<Verdict> expected = end.verdict() == Verdict.UNKNOWN
                ? EnumSet.of(Verdict.UNKNOWN)
                : Oracle.expect(op, grant, history.last().guard(), newTimeline, behind, anyOpenBody());
        newTimeline &= op != Op.SEAL || end.verdict() != Verdict.DONE;
        return new Attempt(op, grant, number, replaces, expected, end.verdict(), end.value(), end.words());
    }

    private Behind behind(Actor p) {
        PausableLease lease = p.lease();
        if (lease.isOver()) {
            return Behind.LOST_LEASE;
        }
        boolean confirmed = !p.cutOff && lease.isGoodNow() && confirmedByService.test(lease.grant());
        return confirmed ? Behind.CONFIRMED_LEASE : Behind.LEASE;
    }

    private long newNumber(Op op, Grant grant) {
        if (op.writes() || op == Op.ROLL_BACK) {
            history.wrote(++lastNumber, grant);
            return lastNumber;
        }
        return 0;
    }
}
