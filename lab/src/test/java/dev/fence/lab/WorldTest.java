package dev.fence.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Timelines written by hand: messages between processes and a lock service, and what comes of them. */
class WorldTest {

    private static final int A = 0;
    private static final int B = 1;
    private static final int C = 2;

    /** The story that Redlock is known for: two servers were not reached, and the clock of one that was is set. */
    @Test
    void aMajorityOfRedlockIsLostByTheClockOfOneServer() {
        Timeline timeline = play(
                new Combination(LockKind.REDLOCK, ResourceKind.LOCK_ALONE, Fault.ALL),
                event(Kind.LOSE_REQUEST, A, 3),
                event(Kind.SERVICE_CLOCK_STEPS_AHEAD, A, 2),
                event(Kind.STEP, B));

        assertThat(timeline.violation()).isEqualTo(Violation.TWO_HOLDERS);
        assertThat(timeline.history())
                .contains("A acquires the lock, 3 of 5 servers, token 1: the request does not arrive at servers 3 to 4")
                .contains("B acquires the lock, 3 of 5 servers, token 2");
    }

    @Test
    void whatTooFewServersGrantedIsGivenBackAndWhatComesLaterIsNobodys() {
        Timeline timeline = play(
                new Combination(LockKind.REDLOCK, ResourceKind.LOCK_ALONE, Fault.DELAY),
                event(Kind.LATE, A, 2),
                event(Kind.WAIT, A, 1),
                event(Kind.WAIT, A, 0),
                event(Kind.STEP, B),
                event(Kind.DELIVER, A));

        assertThat(timeline.history())
                .contains("A has no answer yet: the request is late at servers 2 to 4")
                .contains("B acquires the lock, token 2")
                .contains("the acquire of A arrives late at server 2 and is refused");
    }

    /** Answers that are four seconds late leave five of ten, less a second for the clocks. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "CONSENSUS")
    void aLeaseCountsFromBeforeTheRequestsForItWereSent(LockKind lock) {
        Event answer = event(Kind.DELIVER, A);
        Timeline timeline = Timeline.replay(
                new Combination(lock, ResourceKind.UNFENCED, Fault.ALL),
                List.of(
                        event(Kind.LATE_REPLY, A, 0),
                        event(Kind.WAIT, A, 1),
                        answer,
                        answer,
                        answer,
                        event(Kind.CUT_OFF, A),
                        event(Kind.WAIT, A, 1),
                        event(Kind.STEP, A),
                        event(Kind.WAIT, A, 0),
                        event(Kind.STEP, A)));

        assertThat(timeline.history())
                .contains("arrives late" + (lock == LockKind.REDLOCK ? " at server 2" : "") + ": A acquires the lock, ")
                .contains("+8.00", "A reads #0")
                .contains("+9.0", "A stops: its lease is over by its own clock");
    }

    @Test
    void aSessionCountsFromBeforeTheHeartbeatWasSent() {
        Timeline timeline = play(
                new Combination(LockKind.CONSENSUS, ResourceKind.UNFENCED, Fault.ALL),
                event(Kind.STEP, A),
                event(Kind.LATE_RENEWAL_REPLY, A),
                event(Kind.WAIT, A, 1),
                event(Kind.DELIVER, A),
                event(Kind.CUT_OFF, A),
                event(Kind.WAIT, A, 1),
                event(Kind.STEP, A),
                event(Kind.WAIT, A, 0),
                event(Kind.STEP, A));

        assertThat(timeline.history()).contains("A reads #0").contains("A stops: its lease is over by its own clock");
    }

    @Test
    void whoeverWaitsBehindOneThatLeavesReadsTheQueueAndWaitsBehindTheNext() {
        Timeline timeline = play(
                new Combination(LockKind.CONSENSUS, ResourceKind.LOCK_ALONE, Fault.NONE),
                event(Kind.STEP, A),
                event(Kind.STEP, B),
                event(Kind.STEP, C),
                event(Kind.RELEASE, B),
                event(Kind.STEP, C),
                event(Kind.RELEASE, A),
                event(Kind.STEP, C));

        assertThat(timeline.history().lines().map(line -> line.substring(line.indexOf("s  ") + 3)))
                .containsExactly(
                        "A acquires the lock, token 1",
                        "B waits behind A",
                        "C waits behind B",
                        "B gives up",
                        "C waits behind A",
                        "A releases the lock",
                        "C acquires the lock, token 3");
    }

    @Test
    void aRaisedFloorSavesTheGuardThatARestoreAndAFailoverWouldLose() {
        Combination both = new Combination(LockKind.CONSENSUS, ResourceKind.FENCED_ROW, Fault.BOTH_LOST);
        List<Event> before = List.of(
                event(Kind.STEP, A),
                event(Kind.RELEASE, A),
                event(Kind.STEP, B),
                event(Kind.STEP, B),
                event(Kind.SERVICE_IS_RESTORED, A, 1));
        List<Event> after = List.of(event(Kind.STEP, C), event(Kind.RESOURCE_FAILS_OVER, C, 1), event(Kind.STEP, C));

        Timeline raised = Timeline.replay(
                both,
                Stream.of(before, List.of(event(Kind.FLOOR_IS_RAISED, A)), after)
                        .flatMap(List::stream)
                        .toList());

        assertThat(raised.violation()).isNull();
        assertThat(raised.history()).contains("the seal of C with token 1000001 takes effect");
        assertThat(Timeline.replay(
                                both,
                                Stream.of(before, after).flatMap(List::stream).toList())
                        .violation())
                .isEqualTo(Violation.GUARD_FELL);
    }

    /** Whoever forgets here may not be combined with a database that forgot its guard, but in the column for it. */
    @ParameterizedTest
    @EnumSource
    void theTwoMemoriesAreLostTogetherOnlyInTheColumnForIt(LockKind lock) {
        Set<Kind> forgetful = switch (lock) {
            case SINGLE_REDIS, REDLOCK ->
                Set.of(Kind.SERVICE_RESTARTS, Kind.SERVICE_FAILS_OVER, Kind.SERVICE_IS_RESTORED);
            case DATABASE_ROW -> Set.of(Kind.SERVICE_FAILS_OVER, Kind.SERVICE_IS_RESTORED);
            case PARTITION, CONSENSUS -> Set.of(Kind.SERVICE_IS_RESTORED);
        };

        assertThat(notTogetherWithAFailoverOfTheResource(lock, Fault.ALL)).isEqualTo(forgetful);
        assertThat(notTogetherWithAFailoverOfTheResource(lock, Fault.BOTH_LOST)).isEmpty();
    }

    private static Set<Kind> notTogetherWithAFailoverOfTheResource(LockKind lock, Fault fault) {
        Combination combination = new Combination(lock, ResourceKind.FENCED_ROW, fault);
        return Stream.of(Kind.SERVICE_RESTARTS, Kind.SERVICE_FAILS_OVER, Kind.SERVICE_IS_RESTORED)
                .filter(kind -> Timeline.replay(
                                                combination,
                                                List.of(event(kind, A), event(Kind.RESOURCE_FAILS_OVER, A)))
                                        .events()
                                        .size()
                                < 2
                        || Timeline.replay(combination, List.of(event(Kind.RESOURCE_FAILS_OVER, A), event(kind, A)))
                                        .events()
                                        .size()
                                < 2)
                .collect(Collectors.toSet());
    }

    /** All of which must be able to happen. */
    private static Timeline play(Combination combination, Event... events) {
        Timeline timeline = Timeline.replay(combination, List.of(events));
        assertThat(timeline.events()).containsExactly(events);
        return timeline;
    }

    private static Event event(Kind kind, int who) {
        return event(kind, who, 0);
    }

    private static Event event(Kind kind, int who, int arg) {
        return new Event(kind, who, arg);
    }
}
