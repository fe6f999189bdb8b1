package dev.fence.lab;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Five independent Redis nodes; whoever has three has the lock. The token is one more than the highest counter of the nodes,
 * written to all that granted: as much as can be had without consensus.
 */
final class Redlock extends LockService {

    private static final int NODES = 5;
    private static final int MAJORITY = 3;

    private final @Nullable Acquisition[] holders = new @Nullable Acquisition[NODES];
    private final long[] expiries = new long[NODES];
    private final long[] counters = new long[NODES];
    private boolean forgot;

    @Override
    long freeAt() {
        long[] free = expiries.clone();
        Arrays.sort(free);
        return free[MAJORITY - 1];
    }

    @Override
    Acquisition acquire(int actor, long now) {
        long token = 1 + Arrays.stream(counters).max().orElseThrow();
        Acquisition acquisition = new Acquisition(actor, token);
        for (int node = 0; node < NODES; node++) {
            if (expiries[node] <= now) {
                holders[node] = acquisition;
                expiries[node] = now + TTL_MILLIS;
                counters[node] = token;
            }
        }
        return acquisition;
    }

    @Override
    boolean isHeldBy(Acquisition acquisition, long now) {
        int nodes = 0;
        for (int node = 0; node < NODES; node++) {
            nodes += has(node, acquisition, now) ? 1 : 0;
        }
        return nodes >= MAJORITY;
    }

    @Override
    void renew(Acquisition acquisition, long now) {
        for (int node = 0; node < NODES; node++) {
            if (holders[node] == acquisition && expiries[node] > 0) {
                expiries[node] = now + TTL_MILLIS;
            }
        }
    }

    @Override
    boolean release(Acquisition acquisition, long now, boolean byHolder) {
        boolean foreign = false;
        for (int node = 0; node < NODES; node++) {
            if (!byHolder || holders[node] == acquisition) {
                foreign |= holders[node] != acquisition && expiries[node] > now;
                forget(node);
            }
        }
        return foreign;
    }

    @Override
    boolean forgetsTokensWhenItFails() {
        return true;
    }

    @Override
    boolean hasForgottenTokens() {
        return forgot;
    }

    @Override
    void clockSteps(int server, long now) {
        forget(server % NODES);
    }

    /** Without a log that is synced on each write, a node comes back empty. */
    @Override
    void restarts(int server, long now) {
        forget(server % NODES);
        counters[server % NODES] = 0;
        forgot = true;
    }

    @Override
    void failsOver(int server, long now) {
        restarts(server, now);
    }

    @Override
    void isRestored(int back) {
        for (int node = 0; node < NODES; node++) {
            forget(node);
            counters[node] = Math.max(0, counters[node] - back - 1);
        }
        forgot = true;
    }

    private boolean has(int node, Acquisition acquisition, long now) {
        return holders[node] == acquisition && now < expiries[node];
    }

    private void forget(int node) {
        holders[node] = null;
        expiries[node] = 0;
    }
}
