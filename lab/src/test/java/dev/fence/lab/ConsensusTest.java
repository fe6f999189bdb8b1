package dev.fence.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.lab.Answer.Verdict;
import dev.fence.lab.Ask.What;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

class ConsensusTest {

    private static final long TTL = LockService.TTL_MILLIS;

    private final Witness witness = new Witness();
    private final LockService locks = LockKind.CONSENSUS.make(witness, EnumSet.noneOf(Rule.class));
    private final Acquisition first = new Acquisition(0, locks.openSession(0));
    private final Acquisition second = new Acquisition(1, locks.openSession(0));
    private final Acquisition third = new Acquisition(2, locks.openSession(0));

    @Test
    void placesAreInTheOrderOfTheirRevisionsAndEachStandsBehindTheOneBefore() {
        assertThat(ask(What.ACQUIRE, first, 1).verdict()).isEqualTo(Verdict.YES);
        assertThat(ask(What.ACQUIRE, second, 1).behind()).isSameAs(first);
        assertThat(ask(What.ACQUIRE, third, 1).behind()).isSameAs(second);

        ask(What.RELEASE, second, 2);

        assertThat(ask(What.LOOK, third, 2).verdict()).isEqualTo(Verdict.QUEUED);
        assertThat(ask(What.LOOK, third, 2).behind()).isSameAs(first);
        ask(What.RELEASE, first, 3);
        assertThat(ask(What.LOOK, third, 3).verdict()).isEqualTo(Verdict.YES);
    }

    @Test
    void anEnqueueThatIsSentAgainFindsItsOwnPlace() {
        long token = ask(What.ACQUIRE, first, 1).token();

        assertThat(ask(What.ACQUIRE, first, 2).token()).isEqualTo(token);
        ask(What.RELEASE, first, 3);

        assertThat(ask(What.ACQUIRE, second, 4).verdict()).isEqualTo(Verdict.YES);
        assertThat(witness.violation()).isEmpty();
    }

    @Test
    void anEnqueueThatArrivesAfterItWasGivenUpPutsNothing() {
        ask(What.RELEASE, first, 1);

        assertThat(ask(What.ACQUIRE, first, 2).verdict()).isEqualTo(Verdict.NO);
        assertThat(ask(What.ACQUIRE, second, 3).verdict()).isEqualTo(Verdict.YES);
        assertThat(witness.violation()).isEmpty();
    }

    @Test
    void allPlacesOfASessionEndWithItAndALateEnqueueFindsItGone() {
        ask(What.ACQUIRE, first, 1);
        ask(What.ACQUIRE, second, 1);
        ask(What.RENEW, second, 2);

        assertThat(ask(What.LOOK, second, TTL - 1).verdict()).isEqualTo(Verdict.QUEUED);
        assertThat(ask(What.LOOK, second, TTL).verdict()).isEqualTo(Verdict.YES);
        assertThat(ask(What.ACQUIRE, first, TTL).verdict()).isEqualTo(Verdict.NO);
    }

    @Test
    void aNewLeaderGivesAFreshTimeToLiveOrRevokesButForgetsNoToken() {
        long token = ask(What.ACQUIRE, first, 1).token();

        locks.failsOver(1, 9_000);
        assertThat(locks.isHeldBy(first, 9_000 + TTL - 1)).isTrue();

        locks.failsOver(0, 9_000);
        assertThat(locks.isHeldBy(first, 9_000)).isFalse();
        assertThat(ask(What.ACQUIRE, second, 9_001).token()).isGreaterThan(token);
    }

    @Test
    void theFloorIsAddedToTheRevisionAndMendsARestore() {
        ask(What.ACQUIRE, first, 1);
        ask(What.ACQUIRE, second, 1);
        locks.isRestored(3);
        assertThat(locks.hasForgottenTokens()).isTrue();

        locks.floorIsRaised();

        assertThat(locks.hasForgottenTokens()).isFalse();
        Acquisition next = new Acquisition(0, locks.openSession(2));
        assertThat(ask(What.ACQUIRE, next, 2).token()).isGreaterThan(1_000);
    }

    @Test
    void theFloorComesTooLateForTokensThatWereGivenASecondTime() {
        ask(What.ACQUIRE, first, 1);
        locks.isRestored(0);
        Acquisition next = new Acquisition(0, locks.openSession(2));
        assertThat(ask(What.ACQUIRE, next, 2).token()).isEqualTo(1);

        locks.floorIsRaised();

        assertThat(locks.hasForgottenTokens()).isTrue();
    }

    private Answer ask(What what, Acquisition by, long now) {
        return locks.handle(new Ask(what, by, 0, now), now);
    }
}
