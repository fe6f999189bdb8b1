package dev.fence.properties;

import dev.fence.Grant;
import dev.fence.properties.RealStage.Store;
import dev.fence.properties.Subject.Sight;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Plays a script with real processes and real servers, one event after the other. Pauses are real; they last until the lease
 * has really ended and no longer. Between events passes at most {@link #LONGEST_GAP_MILLIS}.
 */
final class RealWorld {

    private static final long LONGEST_GAP_MILLIS = 300;
    /** What cannot be done to real parts. */
    static final Set<Kind> NOT_FOR_REAL = EnumSet.of(Kind.ACQUIRE_ANOTHER, Kind.FORGED_WRITE, Kind.STEP_WALL_CLOCK);
    /** Which end belongs to what the guard carries is judged in memory; here by the ends that the script names. */
    private static final Set<Verdict> ANY_END = EnumSet.complementOf(EnumSet.of(Verdict.BROKEN));

    private static final AtomicInteger PLAYED = new AtomicInteger();

    private final RealStage stage;
    private final Store store;
    private final String resource;
    private final List<RealPlayer> players = new ArrayList<>();
    private final Contents contents = new Contents();
    private final List<Long> landedObjects = new ArrayList<>();
    private final History history;
    private final @Nullable Path backup;
    private int objectWrites;
    private long lastNumber;

    private RealWorld(Script script, RealStage stage, Store store, boolean fenced) throws InterruptedException {
        this.stage = stage;
        this.store = store;
        int n = PLAYED.incrementAndGet();
        this.resource = "ledger-" + n;
        String leaseName = "payouts-" + n;
        stage.prepare(store, resource, leaseName, fenced && !script.bare());
        for (int i = 0; i < script.processes(); i++) {
            RealPlayer player = new RealPlayer(String.valueOf((char) ('A' + i)), stage.process(i));
            players.add(player);
            player.ask("begin " + store + " " + fenced + " " + resource + " " + leaseName);
        }
        boolean restores = script.actions().stream().anyMatch(action -> action.kind() == Kind.RESTORE);
        this.backup = restores ? stage.snapshot() : null;
        this.objectWrites = stage.objectWrites(resource);
        this.history = new History(script.processes(), script.bare(), look());
    }

    /** @throws SpoiltRunException if a lease was lost by nothing that the script has done */
    static History play(Script script, RealStage stage, Store store, boolean fenced)
            throws IOException, InterruptedException {
        RealWorld world = new RealWorld(script, stage, store, fenced);
        try {
            long before = 0;
            for (Action action : script.actions()) {
                // a distance of the script, not a condition
                TimeUnit.MILLISECONDS.sleep(Math.min(action.at() - before, LONGEST_GAP_MILLIS));
                before = action.at();
                world.play(action);
            }
            return world.history;
        } finally {
            world.settle();
        }
    }

    private void play(Action action) throws IOException, InterruptedException {
        Told told = switch (action.kind()) {
            case GIVE_AWAY -> {
                players.forEach(p -> p.harmed = true);
                stage.giveAway();
                yield new Told("the service gives the lease away");
            }
            case RESTORE -> {
                players.forEach(p -> p.harmed = true);
                stage.restore(Actor.present(backup));
                yield new Told("the service is restored from a backup");
            }
            default -> take(action, players.get(action.actor().charAt(0) - 'A'));
        };
        history.add(action, told, look());
    }

    private Told take(Action action, RealPlayer p) throws InterruptedException {
        if (!p.can(action)) {
            return new Told(p.name + " cannot " + action);
        }
        return switch (action.kind()) {
            case ACQUIRE -> acquire(p);
            case RELEASE -> release(p);
            case CREATE -> now(p, Op.CREATE);
            case SEAL -> now(p, Op.SEAL);
            case READ -> now(p, Op.READ);
            case WRITE -> now(p, Op.WRITE);
            case UPDATE -> now(p, Op.UPDATE);
            case WRITE_BACK -> now(p, Op.WRITE_BACK);
            case ROLL_BACK -> now(p, Op.ROLL_BACK);
            case CHECK -> check(p, Op.of(action.argument()));
            case PARK -> park(p, Op.of(action.argument()));
            case GO_ON -> goOn(p);
            case HAND_OVER -> {
                p.worker = p.grant;
                yield told(p, "hands its grant to a worker", p.ask("hand-over"));
            }
            case WORKER_WRITE -> workerWrites(p);
            case PAUSE -> {
                p.process.jvm().pause();
                p.paused = true;
                p.harmed = true;
                yield new Told(p.name + " is paused (SIGSTOP)");
            }
            case RESUME -> {
                p.process.jvm().resume();
                p.paused = false;
                String runs = p.name + " runs again (SIGCONT)";
                yield p.pending != null || p.inside != null ? goOn(p).after(runs + "; ") : new Told(runs);
            }
            case CUT_OFF -> {
                p.harmed = true;
                p.process.toEtcd().refuse();
                p.process.toEtcd().cut();
                yield new Told(p.name + " is cut off from the lease service");
            }
            case RECONNECT -> {
                p.process.toEtcd().pass();
                yield new Told(p.name + " reaches the lease service again");
            }
            case LOSE_REPLY -> {
                stage.loseReply(store, p.process);
                yield new Told("the answer to the next write of " + p.name + " will be lost");
            }
            case TICK, EXPIRE, GIVE_AWAY, RESTORE, ACQUIRE_ANOTHER, FORGED_WRITE, STEP_WALL_CLOCK ->
                throw new IllegalArgumentException("not for a process: " + action);
        };
    }

    private static Told acquire(RealPlayer p) throws InterruptedException {
        HolderReply reply = p.ask("acquire");
        if (reply.isDone()) {
            p.grant = Grant.parse(reply.words());
            p.harmed = false;
            p.sealed = false;
            p.read = null;
            return new Told(p.name + " acquires the lease with token " + p.grant.token());
        }
        return told(p, "asks for the lease", reply);
    }

    private static Told release(RealPlayer p) throws InterruptedException {
        Told told = told(p, "releases the lease", p.ask("release"));
        p.grant = null;
        p.sealed = false;
        p.read = null;
        return told;
    }

    private static Told told(RealPlayer p, String what, HolderReply reply) {
        return new Told(p.name + " " + what + ": " + reply.end() + (reply.isDone() ? "" : " " + reply.words()));
    }

    private static Told check(RealPlayer p, Op op) throws InterruptedException {
        HolderReply reply = p.ask("check");
        if (reply.isDone()) {
            p.pending = op;
        }
        return told(p, "checks its lease before it sends: " + op, reply);
    }

    private Told goOn(RealPlayer p) throws InterruptedException {
        RealPlayer.Write inside = p.inside;
        Op pending = p.pending;
        p.inside = null;
        p.pending = null;
        return inside != null
                ? ended(p, inside, p.ask("go-on")).after("leaving the body, ")
                : now(p, Actor.present(pending)).after("without another look, ");
    }

    private Told now(RealPlayer p, Op op) throws InterruptedException {
        if (op == Op.CREATE || op == Op.SEAL) {
            RealPlayer.Write none = new RealPlayer.Write(op, Actor.present(p.grant), Register.Value.FIRST, 0);
            HolderReply reply = p.ask(op == Op.SEAL ? "seal" : "create");
            p.sealed |= op == Op.SEAL && reply.isDone();
            return ended(p, none, reply);
        }
        if (op == Op.READ) {
            return ended(p, new RealPlayer.Write(op, Actor.present(p.grant), Register.Value.FIRST, 0), p.ask("read"));
        }
        RealPlayer.Write write = newWrite(op, Actor.present(p.grant), p);
        return ended(p, write, send(p, op == Op.ROLL_BACK ? "write-and-fail" : "write", write));
    }

    private Told park(RealPlayer p, Op op) throws InterruptedException {
        RealPlayer.Write write = newWrite(op, Actor.present(p.grant), p);
        HolderReply reply = send(p, "park", write);
        if (reply.end().equals(HolderReply.INSIDE)) {
            p.inside = write;
            return new Told(p.name + ": " + op + " #" + write.value().number() + " stands inside its body");
        }
        return ended(p, write, reply);
    }

    private Told workerWrites(RealPlayer p) throws InterruptedException {
        RealPlayer.Write write = newWrite(Op.WRITE, Actor.present(p.worker), p);
        Attempt attempt = attempt(write, send(p, "worker-write", write));
        return Told.of(p.name + "'s worker", attempt);
    }

    private static HolderReply send(RealPlayer p, String command, RealPlayer.Write write) throws InterruptedException {
        return p.ask(
                command + " " + write.value().number() + " " + write.value().content());
    }

    private RealPlayer.Write newWrite(Op op, Grant grant, RealPlayer p) {
        history.wrote(++lastNumber, grant);
        long replaces = op == Op.UPDATE ? Actor.present(p.read) : 0;
        return new RealPlayer.Write(
                op, grant, contents.value(op, lastNumber, history.last().landed()), replaces);
    }

    private Told ended(RealPlayer p, RealPlayer.Write write, HolderReply reply) {
        p.process.toPostgres().pass();
        Attempt attempt = attempt(write, reply);
        if (attempt.isDone() && write.op() == Op.READ) {
            p.read = attempt.value();
        } else if (attempt.isDone() && write.op().writes()) {
            p.read = attempt.number();
        }
        return Told.of(p.name, attempt);
    }

    private Attempt attempt(RealPlayer.Write write, HolderReply reply) {
        Verdict verdict = Verdict.valueOf(reply.end());
        long number = write.value().number();
        int writes = stage.objectWrites(resource);
        if (number > 0 && store == Store.OBJECTS && writes > objectWrites) {
            landedObjects.add(number);
        }
        return new Attempt(
                write.op(),
                write.grant(),
                number,
                write.replaces(),
                ANY_END,
                verdict,
                write.op() == Op.READ ? numberOf(reply.value()) : 0,
                reply.words());
    }

    /** An object knows its content alone; of the writes that had it, the newest must be what was read. */
    private long numberOf(long read) {
        long newest = history.last().value();
        return store == Store.OBJECTS && contents.of(newest) == read ? newest : read;
    }

    private Sight look() {
        objectWrites = stage.objectWrites(resource);
        Sight sight = stage.look(store, resource);
        return store == Store.ROWS ? sight : new Sight(sight.guard(), List.copyOf(landedObjects));
    }

    /** Leaves the processes as they were found. */
    private void settle() throws InterruptedException {
        for (RealPlayer p : players) {
            if (p.paused) {
                p.process.jvm().resume();
            }
            if (p.inside != null) {
                p.ask("go-on");
            }
            p.process.toEtcd().pass();
            p.process.toPostgres().pass();
        }
    }
}
