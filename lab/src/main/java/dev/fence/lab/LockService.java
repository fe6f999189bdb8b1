package dev.fence.lab;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What hands out a lock: one server or several, which answer requests and let what they granted expire. */
abstract sealed class LockService permits ExpiringLock, Consensus {

    static final long TTL_MILLIS = 10_000;
    static final long NEVER = Long.MAX_VALUE;

    private final Witness witness;
    private final Set<Rule> dropped;

    LockService(Witness witness, Set<Rule> dropped) {
        this.witness = witness;
        this.dropped = dropped;
    }

    final Witness witness() {
        return witness;
    }

    final boolean keeps(Rule rule) {
        return !dropped.contains(rule);
    }

    /** How many servers everything is asked of. */
    int servers() {
        return 1;
    }

    /** How many of them have to say yes. */
    final int quorum() {
        return servers() / 2 + 1;
    }

    /** A request arrives at one of the servers. */
    abstract Answer handle(Ask ask, long now);

    /** Whether there is a queue, whose places live as long as their process's session does. */
    boolean hasSessions() {
        return false;
    }

    /** The number of a new session; 0 where there are none. */
    long openSession(long now) {
        return 0;
    }

    abstract boolean isHeldBy(Acquisition acquisition, long now);

    /**
     * When there is nobody in the way of one who wants the lock, if no heartbeat comes any more.
     *
     * @param behind whose place is before his, if there is a queue and he has a place
     */
    abstract long freeAt(@Nullable Acquisition behind);

    /** Whether heartbeats of {@code other} keep that one in the way. */
    abstract boolean isKeptBy(Acquisition other, @Nullable Acquisition behind, long now);

    /** Whether a fault of this kind may make it give tokens a second time. */
    abstract boolean forgetsTokens(Kind fault);

    /** Whether tokens can be given a second time since something happened. */
    abstract boolean hasForgottenTokens();

    /** One server's wall clock is set ahead or back, or goes too fast. Nothing comes of it where elapsed time is measured. */
    void clockGoesWrong(Kind how, int server, long now) {}

    abstract void restarts(int server, long now);

    abstract void failsOver(int server, long now);

    abstract void isRestored(int back);

    /** Whether there is a floor to add to what is counted. */
    boolean hasFloor() {
        return false;
    }

    /** By an operator, far above every token that was ever given. */
    void floorIsRaised() {
        throw new UnsupportedOperationException("there is no floor");
    }
}
