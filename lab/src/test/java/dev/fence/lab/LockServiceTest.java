package dev.fence.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.lab.Answer.Verdict;
import dev.fence.lab.Ask.What;
import java.util.EnumSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What servers answer, without a network between. */
class LockServiceTest {

    private static final long TTL = LockService.TTL_MILLIS;

    private final Witness witness = new Witness();

    @ParameterizedTest
    @EnumSource
    void aLeaseEndsAfterTheTimeToLiveUnlessRenewed(LockKind kind) {
        LockService locks = make(kind);
        Acquisition first = acquire(locks, 0, 100);
        assertThat(locks.isHeldBy(first, 99 + TTL)).isTrue();

        assertThat(ask(locks, What.RENEW, first, 5_000)).isEqualTo(locks.servers());

        assertThat(ask(locks, What.CONFIRM, first, 4_999 + TTL)).isEqualTo(locks.servers());
        assertThat(ask(locks, What.CONFIRM, first, 5_000 + TTL)).isZero();
        assertThat(ask(locks, What.RENEW, first, 5_000 + TTL)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void theNextTokenIsHigher(LockKind kind) {
        LockService locks = make(kind);

        assertThat(acquire(locks, 0, 0).token())
                .isLessThan(acquire(locks, 1, TTL).token());
    }

    @ParameterizedTest
    @EnumSource
    void aLateReleaseLeavesTheNextHolderAlone(LockKind kind) {
        LockService locks = make(kind);
        Acquisition first = acquire(locks, 0, 0);
        Acquisition second = acquire(locks, 1, TTL);

        ask(locks, What.RELEASE, first, TTL + 1);

        assertThat(locks.isHeldBy(second, TTL + 1)).isTrue();
        assertThat(witness.violation()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aReleaseByNameTakesTheLockOfTheNextHolder(LockKind kind) {
        LockService locks = kind.make(witness, EnumSet.of(Rule.A_RELEASE_IS_BY_HOLDER));
        Acquisition first = acquire(locks, 0, 0);
        Acquisition second = acquire(locks, 1, TTL);

        ask(locks, What.RELEASE, first, TTL + 1);

        assertThat(locks.isHeldBy(second, TTL + 1)).isFalse();
        assertThat(witness.violation()).contains(Violation.FOREIGN_RELEASE);
    }

    @ParameterizedTest
    @EnumSource
    void aBackupGivesATokenASecondTime(LockKind kind) {
        LockService locks = make(kind);
        long given = acquire(locks, 0, 0).token();

        locks.isRestored(0);

        assertThat(locks.hasForgottenTokens()).isTrue();
        assertThat(acquire(locks, 1, 1).token()).isEqualTo(given);
    }

    @ParameterizedTest
    @EnumSource(names = {"SINGLE_REDIS", "DATABASE_ROW"})
    void aReplicaThatLagsKnowsNeitherHolderNorToken(LockKind kind) {
        LockService locks = make(kind);
        long given = acquire(locks, 0, 0).token();

        locks.failsOver(0, 1);

        assertThat(acquire(locks, 1, 1).token()).isEqualTo(given);
    }

    @Test
    void twoMajoritiesOfRedlockCanCountTheSameWithoutAnyFault() {
        LockService locks = make(LockKind.REDLOCK);
        Acquisition first = new Acquisition(0, 0);
        Acquisition second = new Acquisition(1, 0);
        IntStream.of(0, 1).forEach(server -> locks.handle(new Ask(What.ACQUIRE, first, server, 0), 0));
        IntStream.of(2, 3, 4).forEach(server -> locks.handle(new Ask(What.ACQUIRE, second, server, 0), 0));

        assertThat(locks.isHeldBy(second, 1)).isTrue();
        assertThat(locks.freeAt(null)).isEqualTo(TTL);
        assertThat(locks.handle(new Ask(What.ACQUIRE, first, 4, 0), TTL).token())
                .isEqualTo(2);
        assertThat(locks.handle(new Ask(What.ACQUIRE, second, 1, 0), TTL).token())
                .isEqualTo(2);
        assertThat(locks.hasForgottenTokens()).isTrue();
    }

    @Test
    void aWallClockThatIsSetBackKeepsTheLockForLonger() {
        LockService locks = make(LockKind.SINGLE_REDIS);
        Acquisition first = acquire(locks, 0, 0);

        locks.clockGoesWrong(Kind.SERVICE_CLOCK_STEPS_BACK, 0, 1);

        assertThat(locks.isHeldBy(first, TTL + 11_999)).isTrue();
        assertThat(locks.freeAt(null)).isEqualTo(TTL + 12_000);
    }

    @ParameterizedTest
    @EnumSource(names = {"SINGLE_REDIS", "DATABASE_ROW"})
    void aWallClockThatGoesFastEndsALeaseBeforeItsHolderThinksSo(LockKind kind) {
        LockService locks = make(kind);
        Acquisition first = acquire(locks, 0, 0);

        locks.clockGoesWrong(Kind.SERVICE_CLOCK_DRIFTS, 0, 2);

        assertThat(locks.freeAt(null)).isEqualTo(2 + (TTL - 2 + 3) / 4);
        assertThat(locks.isHeldBy(first, locks.freeAt(null) - 1)).isTrue();
        assertThat(locks.isHeldBy(first, locks.freeAt(null))).isFalse();
    }

    @ParameterizedTest
    @EnumSource(names = {"CONSENSUS", "PARTITION"})
    void elapsedTimeDoesNotStep(LockKind kind) {
        LockService locks = make(kind);
        Acquisition first = acquire(locks, 0, 0);

        locks.clockGoesWrong(Kind.SERVICE_CLOCK_STEPS_AHEAD, 0, 1);

        assertThat(locks.isHeldBy(first, 2)).isTrue();
    }

    private LockService make(LockKind kind) {
        return kind.make(witness, EnumSet.noneOf(Rule.class));
    }

    private static Acquisition acquire(LockService locks, int actor, long now) {
        Acquisition acquisition = new Acquisition(actor, locks.openSession(now));
        assertThat(ask(locks, What.ACQUIRE, acquisition, now)).isEqualTo(locks.servers());
        return acquisition;
    }

    /** How many servers said yes. */
    private static int ask(LockService locks, What what, Acquisition by, long now) {
        int yes = 0;
        for (int server = 0; server < locks.servers(); server++) {
            Answer answer = locks.handle(new Ask(what, by, server, now), now);
            yes += answer.verdict() == Verdict.YES ? 1 : 0;
            if (what == What.ACQUIRE) {
                by.grantedWith(Math.max(by.token(), answer.token()));
            }
        }
        return yes;
    }
}
