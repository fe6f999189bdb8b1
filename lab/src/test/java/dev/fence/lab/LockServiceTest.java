package dev.fence.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LockServiceTest {

    private static final long TTL = LockService.TTL_MILLIS;

    @ParameterizedTest
    @EnumSource
    void isFreeAfterTheTimeToLiveUnlessRenewed(LockKind kind) {
        LockService locks = kind.make();
        Acquisition first = locks.acquire(0, 100);
        assertThat(locks.freeAt()).isEqualTo(100 + TTL);
        assertThat(locks.isHeldBy(first, 99 + TTL)).isTrue();
        assertThat(locks.isHeldBy(first, 100 + TTL)).isFalse();

        locks.renew(first, 5_000);

        assertThat(locks.freeAt()).isEqualTo(5_000 + TTL);
        assertThat(locks.isHeldBy(first, 100 + TTL)).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void theNextTokenIsHigher(LockKind kind) {
        LockService locks = kind.make();

        assertThat(locks.acquire(0, 0).token()).isLessThan(locks.acquire(1, TTL).token());
        assertThat(locks.hasForgottenTokens()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void aLateReleaseLeavesTheNextHolderAlone(LockKind kind) {
        LockService locks = kind.make();
        Acquisition first = locks.acquire(0, 0);
        Acquisition second = locks.acquire(1, TTL);

        assertThat(locks.release(first, TTL + 1, true)).isFalse();
        assertThat(locks.isHeldBy(second, TTL + 1)).isTrue();

        assertThat(locks.release(first, TTL + 1, false)).isTrue();
        assertThat(locks.isHeldBy(second, TTL + 1)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void aBackupGivesATokenASecondTime(LockKind kind) {
        LockService locks = kind.make();
        long given = locks.acquire(0, 0).token();

        locks.isRestored(0);

        assertThat(locks.freeAt()).isZero();
        assertThat(locks.acquire(1, 1).token()).isEqualTo(given);
        assertThat(locks.hasForgottenTokens()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"SINGLE_REDIS", "DATABASE_ROW"})
    void aReplicaThatLagsKnowsNeitherHolderNorToken(LockKind kind) {
        LockService locks = kind.make();
        long given = locks.acquire(0, 0).token();

        locks.failsOver(0, 1);

        assertThat(locks.freeAt()).isZero();
        assertThat(locks.acquire(1, 1).token()).isEqualTo(given);
    }

    @Test
    void consensusGivesAFreshTimeToLiveOrRevokesButForgetsNoToken() {
        LockService locks = LockKind.CONSENSUS.make();
        Acquisition first = locks.acquire(0, 0);

        locks.failsOver(1, 9_000);
        assertThat(locks.isHeldBy(first, 9_000 + TTL - 1)).isTrue();

        locks.failsOver(0, 9_001);
        assertThat(locks.isHeldBy(first, 9_001)).isFalse();
        assertThat(locks.acquire(1, 9_002).token()).isGreaterThan(first.token());
    }

    @Test
    void redlockIsFreeWhenThreeOfFiveNodesAre() {
        LockService locks = LockKind.REDLOCK.make();
        Acquisition first = locks.acquire(0, 0);

        locks.clockSteps(0, 1);
        locks.restarts(1, 1);
        assertThat(locks.freeAt()).isEqualTo(TTL);
        assertThat(locks.isHeldBy(first, 1)).isTrue();

        locks.clockSteps(2, 1);
        assertThat(locks.freeAt()).isZero();
        assertThat(locks.isHeldBy(first, 1)).isFalse();
        assertThat(locks.acquire(1, 2).token()).isGreaterThan(first.token());
    }

    @ParameterizedTest
    @EnumSource(names = {"CONSENSUS", "PARTITION"})
    void elapsedTimeDoesNotStep(LockKind kind) {
        LockService locks = kind.make();
        Acquisition first = locks.acquire(0, 0);

        locks.clockSteps(0, 1);

        assertThat(locks.isHeldBy(first, 2)).isTrue();
    }
}
