package dev.fence.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Histories written by hand: sound ones pass, and each kind of violation is found. */
class CheckerTest {

    private final History history = new History();

    @BeforeEach
    void run() {
        history.accept(Event.of(0, "run", What.RUN, "seed=1 ttlMillis=3000"));
    }

    private void at(double seconds, String who, What what, long token, String detail) {
        history.accept(new Event((long) (seconds * 1e9), who, what, "a", token, detail));
    }

    private void granted(double asked, double granted, String who, long token) {
        at(asked, who, What.ASKED, 0, "5000");
        at(granted, who, What.GRANTED, token, "");
    }

    private void row(long token, String detail) {
        history.accept(new Event(TimeUnit.HOURS.toNanos(1), "database", What.ROW, "a", token, detail));
    }

    private void found(String rule) {
        List<Violation> violations = Checker.check(history).violations();
        assertThat(violations).extracting(Violation::rule).containsExactly(rule);
    }

    private void clean() {
        assertThat(Checker.check(history).violations()).isEmpty();
    }

    @Test
    void oneAfterTheOtherIsClean() {
        granted(1, 2, "w1.1/a", 10);
        at(3, "w1.1/a", What.CLAIMED, 10, "");
        at(3.1, "w1.1/a", What.APPLIED, 10, "x");
        at(4, "w1.1/a", What.RELEASED, 10, "RELEASED");
        granted(3, 4.1, "w2.1/a", 12);
        at(5, "w2.1/a", What.CLAIMED, 12, "");
        at(5.1, "w2.1/a", What.REFUSED, 12, "y BusyException");
        row(10, "1 0 x");
        row(12, "2 1 z");
        clean();
    }

    @Test
    void aClaimAfterTheNextGrantIsFound() {
        granted(1, 2, "w1.1/a", 10);
        granted(2, 4, "w2.1/a", 12);
        at(4.1, "w1.1/a", What.CLAIMED, 10, "");
        found("one holder at a time");
    }

    @Test
    void aLateClaimIsExcusedIfEtcdEndedASessionItHadJustConfirmed() {
        granted(1, 2, "w1.1/a", 10);
        at(3, "w1.1/a", What.CONFIRMED, 10, "");
        granted(2, 4, "w2.1/a", 12);
        at(4.1, "w1.1/a", What.CLAIMED, 10, "");
        at(4.5, "w1.1/a", What.LOST, 10, "REVOKED");
        clean();
        assertThat(Checker.check(history).revokedAlive()).isEqualTo(1);
    }

    @Test
    void itIsNotExcusedIfTheLastConfirmationWasATimeToLiveAgo() {
        granted(1, 2, "w1.1/a", 10);
        at(3, "w1.1/a", What.CONFIRMED, 10, "");
        granted(2, 6.1, "w2.1/a", 12);
        at(6.2, "w1.1/a", What.CLAIMED, 10, "");
        at(6.3, "w1.1/a", What.LOST, 10, "REVOKED");
        found("one holder at a time");
    }

    @Test
    void itIsNotExcusedIfEtcdStillConfirmedTheFormerHolder() {
        granted(1, 2, "w1.1/a", 10);
        at(3, "w1.1/a", What.CONFIRMED, 10, "");
        granted(2, 4, "w2.1/a", 12);
        at(4.1, "w1.1/a", What.CLAIMED, 10, "");
        at(4.2, "w1.1/a", What.CONFIRMED, 10, "");
        at(4.5, "w1.1/a", What.LOST, 10, "REVOKED");
        found("one holder at a time");
    }

    @Test
    void itIsNotExcusedIfOnlyItsKeyWasRemoved() {
        granted(1, 2, "w1.1/a", 10);
        at(3, "w1.1/a", What.CONFIRMED, 10, "");
        granted(2, 4, "w2.1/a", 12);
        at(4.1, "w1.1/a", What.CLAIMED, 10, "");
        at(4.5, "w1.1/a", What.LOST, 10, "REMOVED");
        found("one holder at a time");
    }

    @Test
    void aTokenThatIsNotAboveAnEarlierOneOfAnyNameIsFound() {
        granted(1, 2, "w1.1/a", 10);
        history.accept(new Event(TimeUnit.SECONDS.toNanos(3), "w2.1/b", What.ASKED, "b", 0, "5000"));
        history.accept(new Event(TimeUnit.SECONDS.toNanos(4), "w2.1/b", What.GRANTED, "b", 9, ""));
        found("tokens rise");
    }

    @Test
    void aTokenGivenTwiceIsFound() {
        granted(1, 2, "w1.1/a", 10);
        granted(1, 2, "w2.1/a", 10);
        found("tokens rise");
    }

    @Test
    void aTermThatWasNeverEndedIsFoundUnlessTheProcessWasKilled() {
        at(1, "w1.1/leader", What.ELECTED, 10, "");
        found("callbacks in pairs");
        at(2, "w1.1", What.KILLED, 0, "");
        clean();
    }

    @Test
    void aTermThatEndsTwiceIsFound() {
        at(1, "w1.1/leader", What.ELECTED, 10, "");
        at(2, "w1.1/leader", What.DEMOTED, 10, "CLOSED");
        clean();
        at(3, "w1.1/leader", What.DEMOTED, 10, "CLOSED");
        found("callbacks in pairs");
    }

    @Test
    void aTermWithinATermIsFound() {
        at(1, "w1.1/leader", What.ELECTED, 10, "");
        at(2, "w1.1/leader", What.ELECTED, 11, "");
        at(3, "w1.1/leader", What.DEMOTED, 11, "CLOSED");
        found("callbacks in pairs");
    }

    @Test
    void twoWritesAfterTheSameAreFound() {
        row(10, "1 0 x");
        row(12, "2 1 y");
        row(12, "3 1 z");
        found("one chain of writes");
    }

    @Test
    void aWriteOfAFormerHolderIsFound() {
        row(10, "1 0 x");
        row(12, "2 1 y");
        row(10, "3 2 z");
        found("one chain of writes");
    }

    @Test
    void aWriteAfterSomethingThatIsNotThereIsFound() {
        row(10, "1 0 x");
        row(12, "3 2 y");
        found("one chain of writes");
    }

    @Test
    void anAppliedWriteThatIsNotThereAndARefusedOneThatIsAreFound() {
        at(1, "w1.1/a", What.APPLIED, 10, "x");
        found("one chain of writes");
        row(10, "1 0 x");
        clean();
        at(1, "w1.1/a", What.REFUSED, 10, "x StaleTokenException");
        found("one chain of writes");
    }

    @Test
    void aQuestionWithoutAnswerIsFoundUnlessTheProcessWasKilled() {
        at(1, "w1.1/a", What.ASKED, 0, "100");
        found("every acquire ends");
        at(2, "w1.1", What.KILLED, 0, "");
        clean();
    }

    @Test
    void aLateAnswerIsFoundUnlessTheProcessWasPaused() {
        at(1, "w1.1/a", What.ASKED, 0, "100");
        at(1, "w2.1/a", What.CLAIMED, 5, "");
        at(30, "w1.1/a", What.NOT_GRANTED, 0, "LeaseTimeoutException");
        found("every acquire ends");
        history.accept(Event.of(TimeUnit.SECONDS.toNanos(2), "w1.1", What.PAUSED, ""));
        history.accept(Event.of(TimeUnit.SECONDS.toNanos(25), "w1.1", What.RESUMED, ""));
        clean();
    }

    @Test
    void waitingInVainForWhatNobodyWantsIsFound() {
        at(1, "w1.1/a", What.ASKED, 0, "1000");
        at(2, "w1.1/a", What.NOT_GRANTED, 0, "LeaseTimeoutException");
        found("every acquire ends");
    }

    @Test
    void aProcessThatDoesNotEndIsFound() {
        history.accept(Event.of(1, "w1.1", What.STARTED, ""));
        found("every acquire ends");
        history.accept(Event.of(2, "w1.1", What.ENDED, ""));
        clean();
        history.accept(Event.of(3, "w2.1", What.STUCK, "log"));
        found("every acquire ends");
    }

    private void runOf(String settings) {
        history.accept(Event.of(0, "run", What.RUN, settings));
    }

    @Test
    void aRunInWhichNobodyIsGrantedALeaseIsFound() {
        runOf("leases=a,b");
        granted(1, 2, "w1.1/a", 10);
        at(3, "w1.1/a", What.APPLIED, 10, "x");
        row(10, "1 0 x");
        history.accept(new Event(4, "last", What.ASKED, "b", 0, "5000"));
        history.accept(new Event(TimeUnit.SECONDS.toNanos(5), "last", What.GRANTED, "b", 11, ""));
        assertThat(Checker.check(history).violations())
                .extracting(Violation::toString)
                .containsExactly(
                        "everybody gets to work: \"b\" was never granted to a worker",
                        "everybody gets to work: \"b\" was never written under");
    }

    @Test
    void aRunInWhichNothingIsWrittenIsFound() {
        runOf("leases=a");
        granted(1, 2, "w1.1/a", 10);
        at(3, "w1.1/a", What.REFUSED, 10, "x BusyException");
        found("everybody gets to work");
        at(4, "w1.1/a", What.APPLIED, 10, "y");
        row(10, "1 0 y");
        clean();
    }

    @Test
    void aRunInWhichNobodyIsElectedIsFound() {
        runOf("elections=a");
        at(3, "w1.1/a", What.APPLIED, 10, "x");
        row(10, "1 0 x");
        found("everybody gets to work");
        at(1, "w1.1/a", What.ELECTED, 10, "");
        at(4, "w1.1/a", What.DEMOTED, 10, "CLOSED");
        clean();
    }

    @Test
    void anErrorWithoutReasonIsFound() {
        at(1, "w1.1/a", What.WRONG, 10, "sealing: GuardMissingException");
        found("no error without a reason");
    }
}
