package dev.fence.s3;

import static dev.fence.s3.ObjectFenceContract.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.BusyException;
import dev.fence.GuardMissingException;
import dev.fence.Lease;
import dev.fence.OutcomeUnknownException;
import dev.fence.StaleTokenException;
import dev.fence.UnsupportedStoreException;
import dev.fence.WriteId;
import dev.fence.WriteOutcome;
import dev.fence.s3.FakeS3.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Applied, refused or unknown, whatever goes wrong with a request. */
class ObjectOutcomeTest extends OnFaultyStore {

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NONE", "LATE", "FORBIDDEN_403"})
    void anAmbiguousAnswerIsLookedAtAndTheWriteLandsExactlyOnce(Fault fault) {
        ObjectWriter writer = writer();
        int writes = store.objects.writes(SLOT);
        store.next("PUT", fault);

        put(writer, "after");

        assertThat(value()).isEqualTo("after");
        assertThat(store.objects.writes(SLOT)).isEqualTo(writes + 1);
        put(writer, "on top");
        assertThat(value()).isEqualTo("on top");
    }

    @Test
    void aWriteThatArrivesLateAfterItsRepetitionChangesNothing() {
        ObjectWriter writer = writer();
        store.next("PUT", Fault.LATE);
        put(writer, "after");
        put(writer, "newest");
        int writes = store.objects.writes(SLOT);

        store.releaseLate();

        assertThat(value()).isEqualTo("newest");
        assertThat(store.objects.writes(SLOT)).isEqualTo(writes);
    }

    @Test
    void aWriteOfAnOldHolderThatArrivesAfterTheSealChangesNothing() {
        ObjectWriter writer = writer();
        store.next("PUT", Fault.LATE).next("GET", failing());
        OutcomeUnknownException unknown = unknown(() -> put(writer, "late"));

        fence.seal(holders.next(), SLOT);
        store.releaseLate();

        assertThat(value()).isEqualTo("before");
        assertThat(fence.verify(SLOT, unknown.writeId().orElseThrow())).isEqualTo(WriteOutcome.REFUSED);
    }

    @Test
    void aWriteThatMayStillArriveIsUnknownUntilItsPlaceIsTaken() {
        ObjectWriter writer = writer();
        store.next("PUT", Fault.LATE).next("GET", failing());
        OutcomeUnknownException unknown = unknown(() -> put(writer, "late"));
        WriteId id = unknown.writeId().orElseThrow();

        assertThat(fence.verify(SLOT, id)).isEqualTo(WriteOutcome.UNKNOWN);
        store.releaseLate();
        assertThat(fence.verify(SLOT, id)).isEqualTo(WriteOutcome.APPLIED);
        assertThat(value()).isEqualTo("late");
    }

    @Test
    void aLostAnswerToAWriteThatANewHolderForestalledIsARefusal() {
        ObjectWriter writer = writer();
        Lease newer = holders.next();
        store.next("PUT", Fault.DROP_BEFORE).beforeNext("GET", () -> fence.seal(newer, SLOT));

        assertThatExceptionOfType(StaleTokenException.class)
                .isThrownBy(() -> put(writer, "mine"))
                .satisfies(e -> assertThat(e.newest()).isEqualTo(newer.grant()));
        assertThat(value()).isEqualTo("before");
    }

    @Test
    void aSealWhoseAnswerWasLostAndThatWasSealedOverIsRefused() {
        writer();
        Lease mine = holders.next();
        Lease newest = holders.next();
        store.next("PUT", Fault.DROP_AFTER)
                .beforeNext("PUT", () -> store.beforeNext("GET", () -> fence.seal(newest, SLOT)));

        assertThatExceptionOfType(StaleTokenException.class)
                .isThrownBy(() -> fence.seal(mine, SLOT))
                .satisfies(e -> assertThat(e.newest()).isEqualTo(newest.grant()));
        assertThat(value()).isEqualTo("before");
    }

    @Test
    void aGuardWhoseCreationWasNotAnsweredAndThatWasSealedOverWasCreated() {
        store.next("PUT", Fault.DROP_AFTER).beforeNext("GET", () -> fence.seal(holders.next(), SLOT));

        assertThat(fence.create(lease, SLOT)).isTrue();
        assertThat(reader().read(SLOT)).isEmpty();
    }

    @Test
    void a412OnTheOnlyAttemptThatCannotBeLookedAtIsBusy() {
        ObjectWriter writer = writer();
        fence.seal(holders.next(), SLOT);
        store.next("GET", failing());

        assertThatThrownBy(() -> put(writer, "late")).isInstanceOf(BusyException.class);
        store.behave();
        assertThat(value()).isEqualTo("before");
    }

    @Test
    void aHolderThatPausedWhileManyOthersWroteIsStaleAndNotUnknown() {
        ObjectWriter writer = writer();
        ObjectWriter newer = fence.seal(holders.next(), SLOT);
        for (int i = 0; i < 40; i++) {
            put(newer, "newer " + i);
        }

        assertThatThrownBy(() -> put(writer, "late")).isInstanceOf(StaleTokenException.class);
    }

    @Test
    void anAmbiguousWriteWhosePlaceIsNoLongerToldIsUnknown() {
        ObjectWriter writer = writer();
        ObjectWriter sameHolder = fence.attach(lease.grant(), SLOT);
        store.next("PUT", Fault.DROP_BEFORE).beforeNext("GET", () -> {
            for (int i = 0; i < 40; i++) {
                put(sameHolder, "other " + i);
            }
        });

        unknown(() -> put(writer, "mine"));
        assertThat(value()).isEqualTo("other 39");
    }

    @Test
    void aForbiddenWriteIsAFaultOfTheSetUpAndChangesNothing() {
        ObjectWriter writer = writer();
        store.next("PUT", Fault.FORBIDDEN_403);

        assertThatThrownBy(() -> put(writer, "x"))
                .isInstanceOf(UnsupportedStoreException.class)
                .hasMessageContaining("s3:PutObject");
        assertThat(value()).isEqualTo("before");
        put(writer, "after");
        assertThat(value()).isEqualTo("after");
    }

    @Test
    void aStoreThatIsNotReachedWasSentNothing() {
        store.close();

        assertThatThrownBy(() -> fence.create(lease, SLOT)).isInstanceOf(BusyException.class);
    }

    @Test
    void anObjectThatVanishesAfterAnAmbiguousWriteIsUnknown() {
        ObjectWriter writer = writer();
        store.next("PUT", Fault.DROP_AFTER).beforeNext("GET", () -> store.objects.remove(SLOT));

        unknown(() -> put(writer, "x"));
        assertThatThrownBy(() -> put(writer, "y")).isInstanceOf(GuardMissingException.class);
    }

    @Test
    void anInterruptAfterSendingIsUnknownAndKept() {
        ObjectWriter writer = writer();
        Thread self = Thread.currentThread();
        store.beforeNext("PUT", self::interrupt);

        OutcomeUnknownException unknown = unknown(() -> put(writer, "x"));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(fence.verify(SLOT, unknown.writeId().orElseThrow())).isNotNull();
    }
}
