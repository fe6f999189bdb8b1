package dev.fence.properties;

import dev.fence.FencedWriter;
import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.ReleaseOutcome;
import dev.fence.fixtures.InMemoryLeases;
import dev.fence.properties.Timeline.Event;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One process of a timeline: what it holds and knows, and where its thread stands. */
final class Actor {

    /** An operation whose local check lies behind it, and which is about to be sent. */
    record Pending(
            Op op,
            @Nullable FencedWriter<Register> writer,
            @Nullable Long read) {}

    /** A write that stands inside its body. */
    record Open(Standing<Operations.End> standing, Op op, Grant grant, long number, long replaces) {}

    final String name;
    InMemoryLeases home;
    InMemoryLeases abroad;
    private final List<InMemoryLeases> past = new ArrayList<>();
    boolean paused;
    boolean cutOff;
    boolean replyLost;

    @Nullable
    PausableLease lease;

    @Nullable
    FencedWriter<Register> writer;

    @Nullable
    Long read;

    @Nullable
    FencedWriter<Register> worker;

    @Nullable
    Pending pending;

    @Nullable
    Open open;

    Actor(String name, InMemoryLeases home, InMemoryLeases abroad) {
        this.name = name;
        this.home = home;
        this.abroad = abroad;
    }

    /** The choices of an event made, for a process that {@linkplain #can(Kind) can} take it. */
    Action action(Event event, long at) {
        Kind kind = event.kind();
        String argument = switch (kind) {
            case CHECK -> ops().get(event.arg() % ops().size()).toString();
            case PARK, SEND_LATE -> (read != null && event.arg() % 2 == 1 ? Op.UPDATE : Op.WRITE).toString();
            default -> kind.argument(event.arg());
        };
        return new Action(at, kind.by() == Kind.By.PROCESS ? name : kind.by().word(), kind, argument);
    }

    boolean can(Action action) {
        return can(action.kind())
                && switch (action.kind()) {
                    case CHECK -> ops().contains(Op.of(action.argument()));
                    case PARK, SEND_LATE -> read != null || Op.of(action.argument()) == Op.WRITE;
                    default -> true;
                };
    }

    boolean can(Kind kind) {
        return switch (kind) {
            case PAUSE -> !paused;
            case RESUME -> paused;
            case LOSE_REPLY -> !replyLost && writer != null;
            case CUT_OFF -> !cutOff;
            case RECONNECT -> cutOff;
            case GO_ON -> !paused && isStanding();
            case WORKER_WRITE -> worker != null && open == null;
            case ACQUIRE, ACQUIRE_ANOTHER -> isFree() && (lease == null || lease.isOver());
            case RELEASE -> isFree() && lease != null && !cutOff;
            case CREATE, SEAL, CHECK, HAND_OVER -> isFree() && lease != null;
            case READ, WRITE, WRITE_BACK, ROLL_BACK, PARK, SEND_LATE -> isFree() && writer != null;
            case UPDATE -> isFree() && writer != null && read != null;
            case CRASH, TICK, EXPIRE, GIVE_AWAY, RESTORE, STEP_WALL_CLOCK, FORGED_WRITE, ARRIVE, FAIL_OVER -> true;
        };
    }

    /** The operations it could send now. */
    List<Op> ops() {
        List<Op> ops = new ArrayList<>();
        if (writer != null && read != null) {
            ops.add(Op.UPDATE);
        }
        if (writer != null) {
            ops.addAll(List.of(Op.WRITE, Op.READ));
        }
        ops.add(Op.SEAL);
        return ops;
    }

    void heartbeat() {
        if (!paused) {
            home.heartbeat();
            abroad.heartbeat();
        }
    }

    void cutOff(boolean yes) {
        cutOff = yes;
        home.cutOff(yes);
        abroad.cutOff(yes);
    }

    /** What it was is gone, but for its worker; the lease service learns nothing of it. */
    void crash(InMemoryLeases newHome, InMemoryLeases newAbroad) {
        breakBody();
        if (lease != null) {
            lease.forget();
        }
        past.addAll(List.of(home, abroad));
        home = newHome;
        abroad = newAbroad;
        paused = false;
        cutOff = false;
        replyLost = false;
        lease = null;
        writer = null;
        read = null;
        pending = null;
    }

    /** Ends the transaction of a write that stands inside its body, without a commit. */
    void breakBody() {
        if (open != null) {
            open.standing().fail();
            open = null;
        }
    }

    /** Ends what is still open, so that nothing outlives the timeline. */
    void end() {
        if (open != null) {
            open.standing().end();
        }
        if (lease != null) {
            lease.forget();
        }
        cutOff(false);
        past.addAll(List.of(home, abroad));
        past.forEach(InMemoryLeases::close);
    }

    private boolean isFree() {
        return !paused && !isStanding();
    }

    boolean isStanding() {
        return pending != null || open != null;
    }

    boolean isInsideBody() {
        return open != null;
    }

    void got(Lease granted) {
        lease = new PausableLease(granted);
        writer = null;
        read = null;
    }

    ReleaseOutcome release() {
        ReleaseOutcome outcome = lease().release();
        lease = null;
        writer = null;
        read = null;
        return outcome;
    }

    /** A process knows what it read, and what it wrote itself. */
    void learn(Attempt attempt) {
        if (attempt.isDone() && attempt.op() == Op.READ) {
            read = attempt.value();
        } else if (attempt.isDone() && attempt.op().writes()) {
            read = attempt.number();
        }
    }

    PausableLease lease() {
        return present(lease);
    }

    Open open() {
        return present(open);
    }

    /** What {@link #can} has made sure of. */
    static <T> T present(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("a process was told to do what it cannot");
        }
        return value;
    }
}
