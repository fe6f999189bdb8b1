package dev.fence.lab;

import org.jspecify.annotations.Nullable;

/** A lock that one place decides about, with a counter that makes its tokens. Subclasses say what that place forgets, and when. */
abstract sealed class SingleHolderLock extends LockService {

    private @Nullable Acquisition holder;
    private long expiry;
    private long lastToken;
    private boolean forgot;

    @Override
    long freeAt() {
        return holder == null ? 0 : expiry;
    }

    @Override
    Acquisition acquire(int actor, long now) {
        Acquisition acquisition = new Acquisition(actor, ++lastToken);
        holder = acquisition;
        expiry = now + TTL_MILLIS;
        return acquisition;
    }

    @Override
    boolean isHeldBy(Acquisition acquisition, long now) {
        return holder == acquisition && now < expiry;
    }

    @Override
    void renew(Acquisition acquisition, long now) {
        expiry = now + TTL_MILLIS;
    }

    @Override
    boolean release(Acquisition acquisition, long now, boolean byHolder) {
        Acquisition present = holder;
        if (byHolder && present != acquisition) {
            return false;
        }
        holder = null;
        return present != null && present != acquisition && now < expiry;
    }

    @Override
    boolean hasForgottenTokens() {
        return forgot;
    }

    @Override
    void isRestored(int back) {
        forgetHolder();
        forgetTokens(back + 1);
    }

    final void forgetHolder() {
        holder = null;
    }

    final void forgetTokens(int howMany) {
        lastToken = Math.max(0, lastToken - howMany);
        forgot = true;
    }

    final void expireNow(long now) {
        expiry = Math.min(expiry, now);
    }

    final void freshTtl(long now) {
        expiry = Math.max(expiry, now + TTL_MILLIS);
    }

    /**
     * One Redis: {@code SET NX PX} and {@code INCR} for a token, renewed by a watchdog, released by compare-and-delete. Its replica
     * lags, its log is synced once a second, its time-outs follow the wall clock.
     */
    static final class Redis extends SingleHolderLock {

        @Override
        boolean forgetsTokensWhenItFails() {
            return true;
        }

        @Override
        void clockSteps(int server, long now) {
            expireNow(now);
        }

        @Override
        void restarts(int server, long now) {
            forgetHolder();
            forgetTokens(1);
        }

        @Override
        void failsOver(int server, long now) {
            restarts(server, now);
        }
    }

    /**
     * A consensus group with sessions. It forgets nothing and measures elapsed time. A new leader gives sessions a fresh time to
     * live; one that was stopped and resumed has been seen to revoke a live one.
     */
    static final class Consensus extends SingleHolderLock {

        @Override
        boolean forgetsTokensWhenItFails() {
            return false;
        }

        @Override
        void clockSteps(int server, long now) {}

        @Override
        void restarts(int server, long now) {
            freshTtl(now);
        }

        @Override
        void failsOver(int server, long now) {
            if (server % 2 == 0) {
                forgetHolder();
            } else {
                freshTtl(now);
            }
        }
    }

    /** A row with holder, version and {@code expires_at} in a database whose standby lags. The version is the token. */
    static final class DatabaseRow extends SingleHolderLock {

        @Override
        boolean forgetsTokensWhenItFails() {
            return true;
        }

        @Override
        void clockSteps(int server, long now) {
            expireNow(now);
        }

        @Override
        void restarts(int server, long now) {}

        @Override
        void failsOver(int server, long now) {
            forgetHolder();
            forgetTokens(1);
        }
    }

    /** A coordinator that assigns a partition, with a generation as the token. When it moves, it assigns anew without asking. */
    static final class Partition extends SingleHolderLock {

        @Override
        boolean forgetsTokensWhenItFails() {
            return false;
        }

        @Override
        void clockSteps(int server, long now) {}

        @Override
        void restarts(int server, long now) {
            forgetHolder();
        }

        @Override
        void failsOver(int server, long now) {
            forgetHolder();
        }
    }
}
