package dev.fence.lab;

/** What hands out a lock. All of them let it expire, renew it by heartbeats, and release it by its holder's id only. */
abstract sealed class LockService permits SingleHolderLock, Redlock {

    static final long TTL_MILLIS = 10_000;
    static final long NEVER = Long.MAX_VALUE;

    /** When the lock is free, if no heartbeat comes any more. */
    abstract long freeAt();

    /** Called when the lock is free. */
    abstract Acquisition acquire(int actor, long now);

    abstract boolean isHeldBy(Acquisition acquisition, long now);

    /** A heartbeat, of one whose lock is still there. */
    abstract void renew(Acquisition acquisition, long now);

    /**
     * A release arrives.
     *
     * @param byHolder false removes whatever is there: a planted bug
     * @return whether the lock of somebody else was removed
     */
    abstract boolean release(Acquisition acquisition, long now, boolean byHolder);

    /** Whether a restart or a failover may make it give tokens a second time. */
    abstract boolean forgetsTokensWhenItFails();

    /** Whether tokens can be given a second time since something happened. */
    abstract boolean hasForgottenTokens();

    /** The wall clock of one server steps ahead by more than a time to live. */
    abstract void clockSteps(int server, long now);

    abstract void restarts(int server, long now);

    abstract void failsOver(int server, long now);

    abstract void isRestored(int back);
}
