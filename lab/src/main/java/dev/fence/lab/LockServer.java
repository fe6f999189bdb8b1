package dev.fence.lab;

import dev.fence.lab.Answer.Verdict;
import org.jspecify.annotations.Nullable;

/** One server with a holder that expires by its clock, and a counter that makes its tokens. */
final class LockServer {

    private final WallClock clock = new WallClock();
    private @Nullable Acquisition holder;
    private long expiry;
    private long lastToken;

    /** A holder that asks again, because no answer came, is refused like anybody: that is what {@code NX} does. */
    Answer acquire(Ask ask, long now) {
        if (holder != null && clock.at(now) < expiry) {
            return ask.answer(false);
        }
        holder = ask.by();
        expiry = clock.at(now) + LockService.TTL_MILLIS;
        return new Answer(ask, Verdict.YES, ++lastToken, null);
    }

    boolean isHeldBy(Acquisition acquisition, long now) {
        return holder == acquisition && clock.at(now) < expiry;
    }

    boolean renew(Acquisition acquisition, long now) {
        if (!isHeldBy(acquisition, now)) {
            return false;
        }
        expiry = clock.at(now) + LockService.TTL_MILLIS;
        return true;
    }

    /**
     * A release.
     *
     * @param byHolder false removes whatever is there: a planted bug
     * @return whether the lock of somebody else was removed
     */
    boolean release(Acquisition acquisition, long now, boolean byHolder) {
        Acquisition present = holder;
        if (present == null || (byHolder && present != acquisition)) {
            return false;
        }
        holder = null;
        return present != acquisition && clock.at(now) < expiry;
    }

    long freeAt() {
        return holder == null ? 0 : clock.when(expiry);
    }

    void forgetHolder() {
        holder = null;
    }

    void forgetTokens(int howMany) {
        lastToken = Math.max(0, lastToken - howMany);
    }

    void clockGoesWrong(Kind how, long now) {
        if (how == Kind.SERVICE_CLOCK_STEPS_AHEAD) {
            clock.stepsAhead();
        } else if (how == Kind.SERVICE_CLOCK_STEPS_BACK) {
            clock.stepsBack();
        } else {
            clock.goesFastFrom(now);
        }
    }
}
