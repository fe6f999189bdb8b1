package dev.fence.lab;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A lock that one server decides about, or several that know nothing of each other. Subclasses say what a server forgets, and
 * when.
 */
abstract sealed class ExpiringLock extends LockService {

    private final LockServer[] servers;
    private boolean forgot;

    ExpiringLock(int servers, Witness witness, Set<Rule> dropped) {
        super(witness, dropped);
        this.servers = Stream.generate(LockServer::new).limit(servers).toArray(LockServer[]::new);
    }

    @Override
    final int servers() {
        return servers.length;
    }

    @Override
    final Answer handle(Ask ask, long now) {
        LockServer server = servers[ask.server()];
        Acquisition by = ask.by();
        return switch (ask.what()) {
            case ACQUIRE -> server.acquire(ask, now);
            case RENEW -> ask.answer(server.renew(by, now));
            case CONFIRM -> ask.answer(server.isHeldBy(by, now));
            case RELEASE -> {
                if (server.release(by, now, keeps(Rule.A_RELEASE_IS_BY_HOLDER))) {
                    witness().releasedForeign();
                }
                yield ask.answer(true);
            }
            case LOOK -> throw new IllegalArgumentException("there is no queue to look at: " + ask);
        };
    }

    @Override
    final boolean isHeldBy(Acquisition acquisition, long now) {
        int yes = 0;
        for (LockServer server : servers) {
            yes += server.isHeldBy(acquisition, now) ? 1 : 0;
        }
        return yes >= quorum();
    }

    @Override
    final long freeAt(@Nullable Acquisition behind) {
        long[] free = Stream.of(servers).mapToLong(LockServer::freeAt).toArray();
        Arrays.sort(free);
        return free[quorum() - 1];
    }

    @Override
    final boolean isKeptBy(Acquisition other, @Nullable Acquisition behind, long now) {
        return isHeldBy(other, now);
    }

    @Override
    boolean forgetsTokens(Kind fault) {
        return fault == Kind.SERVICE_IS_RESTORED;
    }

    @Override
    boolean hasForgottenTokens() {
        return forgot;
    }

    @Override
    final void isRestored(int back) {
        for (LockServer server : servers) {
            server.forgetTokens(back + 1);
            server.forgetHolder();
        }
        forgot = true;
    }

    final LockServer server(int number) {
        return servers[number % servers.length];
    }

    final void forgetLastWrite(int server) {
        server(server).forgetHolder();
        server(server).forgetTokens(1);
        forgot = true;
    }

    /**
     * Redis: {@code SET NX PX} and {@code INCR} for a token, renewed by a watchdog, released by compare-and-delete. Its replica
     * lags, its log is synced once a second, its time-outs follow the wall clock. Five of them are Redlock: whoever has three has
     * the lock, and the highest of their counters as a token. That is as much as can be had without consensus, and no fencing
     * token: two majorities need not have counted the same.
     */
    static final class Redis extends ExpiringLock {

        Redis(int servers, Witness witness, Set<Rule> dropped) {
            super(servers, witness, dropped);
        }

        @Override
        boolean forgetsTokens(Kind fault) {
            return true;
        }

        @Override
        boolean hasForgottenTokens() {
            return super.hasForgottenTokens() || servers() > 1;
        }

        @Override
        void clockGoesWrong(Kind how, int server, long now) {
            server(server).clockGoesWrong(how, now);
        }

        @Override
        void restarts(int server, long now) {
            forgetLastWrite(server);
        }

        @Override
        void failsOver(int server, long now) {
            forgetLastWrite(server);
        }
    }

    /** A row with holder, version and {@code expires_at} in a database whose standby lags. The version is the token. */
    static final class DatabaseRow extends ExpiringLock {

        DatabaseRow(Witness witness, Set<Rule> dropped) {
            super(1, witness, dropped);
        }

        @Override
        boolean forgetsTokens(Kind fault) {
            return fault == Kind.SERVICE_FAILS_OVER || super.forgetsTokens(fault);
        }

        @Override
        void clockGoesWrong(Kind how, int server, long now) {
            server(server).clockGoesWrong(how, now);
        }

        @Override
        void restarts(int server, long now) {}

        @Override
        void failsOver(int server, long now) {
            forgetLastWrite(server);
        }
    }

    /** A coordinator that assigns a partition, with a generation as the token. When it moves, it assigns anew without asking. */
    static final class Partition extends ExpiringLock {

        Partition(Witness witness, Set<Rule> dropped) {
            super(1, witness, dropped);
        }

        @Override
        void restarts(int server, long now) {
            server(server).forgetHolder();
        }

        @Override
        void failsOver(int server, long now) {
            server(server).forgetHolder();
        }
    }
}
