package dev.fence.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.LeaseState;
import dev.fence.LossReason;
import dev.fence.SessionTiming;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Times to live of 10 s with a margin of 1 s: the session is good for 9 s from the moment before a send. */
class SessionClockTest {

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000_000_000L); // overflows during each test
    private final AtomicLong wallMillis = new AtomicLong();
    private final TimeSource time = new TimeSource(nanos::get, wallMillis::get);
    private final SessionClock clock =
            new SessionClock(time, SessionTiming.DEFAULTS, SessionClock.sending(time), Duration.ofSeconds(10));

    @Test
    void validityCountsFromBeforeTheSendNotFromTheAnswer() {
        advance(8000);
        SessionClock.Sending sent = clock.sending();
        advance(900);
        clock.confirmed(sent, Duration.ofSeconds(10));

        assertThat(clock.remaining()).isEqualTo(Duration.ofMillis(9000 - 900));
    }

    @Test
    void itIsLostAtTheDeadlineAndNotBefore() {
        advance(8999);
        assertThat(clock.state()).isEqualTo(new LeaseState.Held());
        advance(1);
        assertThat(lossKind()).isEqualTo(LossReason.Kind.PAUSED);
        assertThat(clock.remaining()).isZero();
    }

    @Test
    void afterAPauseTheFirstQuestionGetsTheRightAnswerWithTheMeasuredGap() {
        advance(3000);
        clock.confirmed(clock.sending(), Duration.ofSeconds(10));
        advance(25_000);

        assertThat(clock.state()).isInstanceOfSatisfying(LeaseState.Lost.class, lost -> {
            assertThat(lost.reason().kind()).isEqualTo(LossReason.Kind.PAUSED);
            assertThat(lost.reason().detail()).contains("25000 ms");
        });
    }

    @Test
    void heartbeatsThatWentUnansweredMakeItExpireNotPaused() {
        advance(3000);
        clock.sending();
        clock.unanswered("etcd does not answer");
        assertThat(clock.state()).isEqualTo(new LeaseState.Uncertain("etcd does not answer"));
        advance(6000);

        assertThat(clock.state()).isInstanceOfSatisfying(LeaseState.Lost.class, lost -> {
            assertThat(lost.reason().kind()).isEqualTo(LossReason.Kind.EXPIRED);
            assertThat(lost.reason().detail()).contains("9000 ms").contains("etcd does not answer");
        });
    }

    @Test
    void anAnswerBringsAnUncertainSessionBack() {
        advance(3000);
        clock.unanswered("etcd does not answer");
        clock.confirmed(clock.sending(), Duration.ofSeconds(10));

        assertThat(clock.state()).isEqualTo(new LeaseState.Held());
    }

    @Test
    void aLateAnswerDoesNotReviveASessionThatWasOverEvenIfNobodyLooked() {
        advance(8000);
        SessionClock.Sending sent = clock.sending();
        advance(1500);
        clock.confirmed(sent, Duration.ofSeconds(10));

        assertThat(lossKind()).isEqualTo(LossReason.Kind.EXPIRED);
    }

    @Test
    void anOlderAnswerThatArrivesLaterShortensNothing() {
        SessionClock.Sending first = clock.sending();
        advance(3000);
        SessionClock.Sending second = clock.sending();
        clock.confirmed(second, Duration.ofSeconds(10));
        clock.confirmed(first, Duration.ofSeconds(10));

        assertThat(clock.remaining()).isEqualTo(Duration.ofSeconds(9));
    }

    @Test
    void oneHeartbeatIsConfirmedOnce() {
        SessionClock.Sending sent = later(1);
        clock.confirmed(sent, Duration.ofSeconds(10));
        clock.confirmed(sent, Duration.ofSeconds(20));

        assertThat(clock.remaining()).isEqualTo(Duration.ofSeconds(9));
    }

    @Test
    void theGrantedTimeToLiveCountsNotTheOneAskedFor() {
        clock.confirmed(later(1), Duration.ofSeconds(4));
        assertThat(clock.remaining()).isEqualTo(Duration.ofSeconds(3));

        clock.confirmed(later(1), Duration.ofSeconds(20));
        assertThat(clock.remaining()).isEqualTo(Duration.ofSeconds(19));
    }

    @Test
    void aWallClockStepMakesItUncertainUntilTheNextConfirmedHeartbeatAndNeverLongerOrShorter() {
        for (long step : new long[] {3_600_000, -3_600_000}) {
            wallMillis.addAndGet(step);
            assertThat(clock.state()).isInstanceOf(LeaseState.Uncertain.class);
            assertThat(clock.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(9));
            clock.confirmed(later(1), Duration.ofSeconds(10));
            assertThat(clock.state()).isEqualTo(new LeaseState.Held());
            assertThat(clock.remaining()).isEqualTo(Duration.ofSeconds(9));
        }
    }

    @Test
    void clocksMayGoApartByTheMargin() {
        wallMillis.addAndGet(SessionTiming.DEFAULTS.margin().toMillis());
        assertThat(clock.state()).isEqualTo(new LeaseState.Held());
        wallMillis.addAndGet(1);
        assertThat(clock.state()).isInstanceOf(LeaseState.Uncertain.class);
    }

    @Test
    void anElapsedClockThatStoodStillWhileTheMachineSleptIsDoubted() {
        wallMillis.addAndGet(60_000);

        assertThat(clock.state())
                .isInstanceOfSatisfying(
                        LeaseState.Uncertain.class,
                        uncertain -> assertThat(uncertain.why()).contains("60000 ms"));
    }

    @Test
    void aHeartbeatThatSpansTheSleepDoesNotTakeTheDoubtAway() {
        SessionClock.Sending sent = later(1);
        wallMillis.addAndGet(60_000);
        clock.confirmed(sent, Duration.ofSeconds(10));

        assertThat(clock.state()).isInstanceOf(LeaseState.Uncertain.class);
    }

    @Test
    void theFirstReasonStays() {
        clock.lost(new LossReason(LossReason.Kind.REVOKED, "first"));
        clock.lost(new LossReason(LossReason.Kind.CLOSED, "second"));
        advance(20_000);

        assertThat(clock.state()).isEqualTo(new LeaseState.Lost(new LossReason(LossReason.Kind.REVOKED, "first")));
        assertThat(clock.remaining()).isZero();
    }

    @Test
    void aMeasuredPauseIsNamedBeforeTheFirstTickAfterIt() {
        PauseMeter pauses = new PauseMeter(time);
        SessionClock explained = ticking(pauses, 1_000);
        advance(25_000);

        assertThat(explained.state()).isInstanceOfSatisfying(LeaseState.Lost.class, lost -> {
            assertThat(lost.reason().kind()).isEqualTo(LossReason.Kind.PAUSED);
            assertThat(lost.reason().detail()).contains("stood still for 24900 ms");
        });
    }

    @Test
    void aPauseWithoutWhichTimeWouldBeLeftIsToBlameThoughAHeartbeatWasSent() {
        SessionClock explained = unansweredWithAPauseOf(4_000, 9_001); // when the end is told

        assertThat(explained.state()).isInstanceOfSatisfying(LeaseState.Lost.class, lost -> {
            assertThat(lost.reason().kind()).isEqualTo(LossReason.Kind.PAUSED);
            assertThat(lost.reason().detail())
                    .contains("stood still for 4000 ms")
                    .contains("etcd does not answer");
        });
    }

    @Test
    void aPauseWithoutWhichNoTimeWouldBeLeftEitherIsNotToBlame() {
        SessionClock explained = unansweredWithAPauseOf(300, 9_001); // shorter than from one heartbeat to the next

        assertThat(explained.state()).isInstanceOfSatisfying(LeaseState.Lost.class, lost -> {
            assertThat(lost.reason().kind()).isEqualTo(LossReason.Kind.EXPIRED);
            assertThat(lost.reason().detail()).contains("stood still for 300 ms");
        });
    }

    @Test
    void aPauseFromBeforeTheLastConfirmedHeartbeatExplainsNothing() {
        PauseMeter pauses = new PauseMeter(time);
        SessionClock explained = ticking(pauses, 1_000);
        advance(5_000);
        pauses.tick();
        advance(100);
        pauses.tick();
        explained.confirmed(explained.sending(), Duration.ofSeconds(10));
        for (int i = 0; i < 90; i++) {
            advance(100);
            pauses.tick();
            explained.sending();
        }

        assertThat(explained.state()).isInstanceOfSatisfying(LeaseState.Lost.class, lost -> {
            assertThat(lost.reason().kind()).isEqualTo(LossReason.Kind.EXPIRED);
            assertThat(lost.reason().detail()).doesNotContain("stood still");
        });
    }

    private SessionClock unansweredWithAPauseOf(long pauseMillis, long millis) {
        PauseMeter pauses = new PauseMeter(time);
        SessionClock unanswered = ticking(pauses, 3_000);
        advance(100 + pauseMillis);
        pauses.tick();
        unanswered.sending();
        unanswered.unanswered("etcd does not answer");
        for (long at = 3_100 + pauseMillis; at < millis; at += 100) {
            advance(Math.min(100, millis - at));
            pauses.tick();
        }
        return unanswered;
    }

    private SessionClock ticking(PauseMeter pauses, long millis) {
        SessionClock explained = new SessionClock(
                time, SessionTiming.DEFAULTS, SessionClock.sending(time), Duration.ofSeconds(10), pauses);
        for (long at = 0; at <= millis; at += 100) {
            pauses.tick();
            if (at < millis) {
                advance(100);
            }
        }
        return explained;
    }

    private SessionClock.Sending later(long millis) {
        advance(millis);
        return clock.sending();
    }

    private void advance(long millis) {
        nanos.addAndGet(millis * 1_000_000);
        wallMillis.addAndGet(millis);
    }

    private LossReason.Kind lossKind() {
        return ((LeaseState.Lost) clock.state()).reason().kind();
    }
}
