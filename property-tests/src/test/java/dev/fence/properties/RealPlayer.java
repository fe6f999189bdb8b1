package dev.fence.properties;

import dev.fence.Grant;
import dev.fence.properties.RealStage.HolderProcess;
import org.jspecify.annotations.Nullable;

/** What is known of a process that plays for real: what {@link Actor} is in memory. */
final class RealPlayer {

    /** A write on its way, or inside its body. */
    record Write(Op op, Grant grant, Register.Value value, long replaces) {}

    final String name;
    final HolderProcess process;

    @Nullable
    Grant grant;

    @Nullable
    Grant worker;

    @Nullable
    Long read;

    @Nullable
    Op pending;

    @Nullable
    Write inside;

    boolean sealed;
    boolean paused;

    /** Whether something was done to it, or to the lease service, that can cost it its lease. */
    boolean harmed;

    RealPlayer(String name, HolderProcess process) {
        this.name = name;
        this.process = process;
    }

    /** @throws SpoiltRunException if its lease is lost, and by nothing that the script has done */
    HolderReply ask(String command) throws InterruptedException {
        HolderReply reply = process.ask(command);
        if (reply.end().equals(Verdict.LEASE_LOST.name()) && !harmed) {
            throw new SpoiltRunException(name + " lost its lease though nothing harmed it: " + reply.words());
        }
        return reply;
    }

    boolean can(Action action) {
        boolean free = !paused && pending == null && inside == null;
        boolean canWrite = free && sealed;
        return switch (action.kind()) {
            case ACQUIRE -> free;
            case RELEASE, CREATE, SEAL, HAND_OVER -> free && grant != null;
            case CHECK -> free && grant != null && canSend(Op.of(action.argument()));
            case UPDATE, READ, WRITE, WRITE_BACK, ROLL_BACK ->
                canWrite && (action.kind() != Kind.UPDATE || read != null);
            case PARK -> canWrite && canSend(Op.of(action.argument()));
            case GO_ON -> !paused && !free;
            case WORKER_WRITE -> !paused && worker != null && inside == null;
            case PAUSE -> !paused;
            case RESUME -> paused;
            default -> true;
        };
    }

    private boolean canSend(Op op) {
        return op == Op.SEAL || (sealed && (op != Op.UPDATE || read != null));
    }
}
