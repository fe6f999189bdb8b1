package dev.fence.s3;

import static dev.fence.s3.ObjectFenceContract.put;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fence.BusyException;
import dev.fence.FenceEvents;
import dev.fence.FenceException;
import dev.fence.Grant;
import dev.fence.GuardMissingException;
import dev.fence.Lease;
import dev.fence.OutcomeUnknownException;
import dev.fence.StaleTokenException;
import dev.fence.UnsupportedStoreException;
import dev.fence.WriteId;
import dev.fence.WriteOutcome;
import dev.fence.s3.FakeS3.Fault;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.s3.S3Client;

/** Applied, refused or unknown, whatever goes wrong with a request. */
class ObjectOutcomeTest {

    private static final String SLOT = "ledger/EU";

    private static final S3FenceSettings SETTINGS = S3FenceSettings.DEFAULTS;

    private final List<String> told = new ArrayList<>();
    private final FakeS3 store = new FakeS3();
    private final S3Client client = Clients.withoutRetries(store.endpoint(), Clients.TEST_CREDENTIALS);
    private final Holders holders = new Holders("test", "exports/EU");
    private final S3Fence fence = fence(client);
    private final Lease lease = holders.next();

    private ObjectWriter writer() {
        fence.create(lease, SLOT);
        ObjectWriter writer = fence.seal(lease, SLOT);
        put(writer, "before");
        store.forgetRequests();
        return writer;
    }

    @AfterEach
    void stop() {
        holders.close();
        client.close();
        store.close();
    }

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
    void c32AStoreThatAnswers409TwiceAndThen200IsSuccessAfterRepetition() {
        ObjectWriter writer = writer();
        store.next("PUT", Fault.CONFLICT_409, Fault.CONFLICT_409);

        put(writer, "after");

        assertThat(value()).isEqualTo("after");
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
    void c31AnAnswerThatWasLostIsSuccess() {
        ObjectWriter writer = writer();
        int writes = store.objects.writes(SLOT);
        store.next("PUT", Fault.DROP_AFTER);

        put(writer, "mine");

        assertThat(store.objects.writes(SLOT)).isEqualTo(writes + 1);
        assertThat(value()).isEqualTo("mine");
    }

    @Test
    void c31ASilentRepetitionByTheSdkThatMeetsItsOwnWriteIsSuccess() {
        try (S3Client retrying = Clients.withRetries(store.endpoint())) {
            writer();
            ObjectWriter writer = fence(retrying).seal(lease, SLOT);
            put(writer, "warm");
            store.forgetRequests();
            store.next("PUT", Fault.DROP_AFTER);

            put(writer, "mine");

            assertThat(store.requests())
                    .as("the SDK repeated the PUT, and its 412 was looked at")
                    .containsExactly("PUT " + SLOT, "PUT " + SLOT, "GET " + SLOT);
            assertThat(value()).isEqualTo("mine");
        }
    }

    @Test
    void c31AWriteThatANewHolderSealedOverIsAppliedThenSuperseded() {
        ObjectWriter writer = writer();
        Lease newer = holders.next();
        List<WriteOutcome> outcomes = new ArrayList<>();
        List<WriteId> ids = new ArrayList<>();
        store.next("PUT", Fault.DROP_AFTER).beforeNext("GET", () -> put(fence.seal(newer, SLOT), "newer"));

        writer.write(slot -> {
            slot.onOutcome(outcomes::add);
            ids.add(slot.writeId());
            slot.put("mine".getBytes(UTF_8));
        });

        assertThat(outcomes).containsExactly(WriteOutcome.APPLIED_THEN_SUPERSEDED);
        assertThat(fence.verify(SLOT, ids.get(0))).isEqualTo(WriteOutcome.APPLIED_THEN_SUPERSEDED);
        assertThat(value()).isEqualTo("newer");
        assertThatThrownBy(() -> put(writer, "again")).isInstanceOf(StaleTokenException.class);
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
    void c31AnAnswerThatCannotBeLookedAtIsUnknownAndVerifiedLater() {
        ObjectWriter writer = writer();
        store.next("PUT", Fault.DROP_AFTER).next("GET", failing());

        OutcomeUnknownException unknown = unknown(() -> put(writer, "mine"));

        assertThat(unknown.grant()).isEqualTo(lease.grant());
        assertThat(fence.verify(SLOT, unknown.writeId().orElseThrow())).isEqualTo(WriteOutcome.APPLIED);
        assertThat(told).containsExactly("sealed", "unknown");
    }

    @Test
    void c31TheSameHoldsForACreation() {
        store.next("PUT", Fault.DROP_AFTER);
        assertThat(fence.create(lease, SLOT)).isTrue();

        store.next("PUT", Fault.DROP_AFTER).next("GET", failing());
        OutcomeUnknownException unknown = unknown(() -> fence.create(lease, "other"));
        assertThat(fence.verify("other", unknown.writeId().orElseThrow())).isEqualTo(WriteOutcome.APPLIED);

        Lease newer = holders.next();
        store.next("PUT", Fault.DROP_AFTER).beforeNext("GET", () -> fence.seal(newer, "third"));
        Lease creator = newer;
        assertThat(fence.create(creator, "third")).isTrue();
    }

    @Test
    void c31TheSameHoldsForTheCompletionOfAMultipartUpload() throws IOException {
        ObjectWriter writer = writer();
        byte[] large = new byte[PayloadUpload.SMALLEST_PART_BYTES + 1];
        store.next("POST", Fault.NONE, Fault.DROP_BEFORE, Fault.DROP_AFTER);

        ObjectFenceContract.publish(writer, large);

        assertThat(reader().read(SLOT).orElseThrow().bytes()).isEqualTo(large);
        assertThat(store.objects.openUploads()).isZero();
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

    @Test
    void c34ANewUploadStaysWhereItIsUnknownWhetherTheSlotPointsAtIt() throws IOException {
        ObjectWriter writer = writer();
        List<WriteOutcome> outcomes = new ArrayList<>();
        Payload payload = Payload.of(3, () -> new ByteArrayInputStream(new byte[3]));
        store.next("PUT", Fault.NONE, Fault.DROP_AFTER).next("GET", failing());

        unknown(() -> writer.write(slot -> {
            slot.onOutcome(outcomes::add);
            slot.publish(payload);
        }));

        assertThat(outcomes).containsExactly(WriteOutcome.UNKNOWN);
        assertThat(reader().read(SLOT).orElseThrow().bytes()).isEqualTo(new byte[3]);
    }

    @Test
    void c34ALeaseLostBetweenUploadAndSlotIsARefusalAndTheUploadIsRemoved() throws IOException {
        ObjectWriter writer = writer();
        List<WriteOutcome> outcomes = new ArrayList<>();
        Payload payload = Payload.of(3, () -> new ByteArrayInputStream(new byte[3]))
                .onProgress((sent, total) -> fence.seal(holders.next(), SLOT));

        assertThatThrownBy(() -> writer.write(slot -> {
                    slot.onOutcome(outcomes::add);
                    slot.publish(payload);
                }))
                .isInstanceOf(StaleTokenException.class);

        assertThat(outcomes).containsExactly(WriteOutcome.REFUSED);
        assertThat(store.objects.keys()).containsExactly(SLOT);
    }

    @Test
    void c34LosingTheLeaseAfterTheWriteWasAcknowledgedLeavesItApplied() {
        ObjectWriter writer = writer();
        List<WriteOutcome> outcomes = new ArrayList<>();
        store.beforeNext("PUT", () -> holders.service.giveAway("exports/EU"));

        writer.write(slot -> {
            slot.onOutcome(outcomes::add);
            slot.put("kept".getBytes(UTF_8));
        });
        lease.close();

        assertThat(outcomes).containsExactly(WriteOutcome.APPLIED);
        assertThat(value()).isEqualTo("kept");
    }

    @Test
    void c34AfterARestartTheWriteThatWasOnItsWayCanBeTold() {
        ObjectWriter writer = writer();
        WriteId applied = writer.call(slot -> {
            slot.put("applied".getBytes(UTF_8));
            return slot.writeId();
        });
        List<WriteId> neverSent = new ArrayList<>();
        assertThatThrownBy(() -> writer.write(slot -> {
                    neverSent.add(slot.writeId());
                    throw new IllegalStateException("killed here");
                }))
                .hasMessage("killed here");
        assertThat(fence.verify(SLOT, neverSent.get(0))).isEqualTo(WriteOutcome.UNKNOWN);

        ObjectWriter restarted = fence.seal(holders.next(), SLOT);

        assertThat(fence.verify(SLOT, applied)).isEqualTo(WriteOutcome.APPLIED_THEN_SUPERSEDED);
        assertThat(fence.verify(SLOT, neverSent.get(0))).isEqualTo(WriteOutcome.REFUSED);
        put(restarted, "goes on");
    }

    private String value() {
        return reader().read(SLOT).map(ObjectFenceContract::text).orElse("nothing");
    }

    private FencedObjects reader() {
        return FencedObjects.on(client, "fake", SETTINGS);
    }

    /** More failures than patience has tries for. */
    private static Fault[] failing() {
        Fault[] faults = new Fault[100];
        Arrays.fill(faults, Fault.UNAVAILABLE_503);
        return faults;
    }

    /** The outcome must be unknown; what the store would still have done wrong is forgotten. */
    private OutcomeUnknownException unknown(ThrowingCallable call) {
        OutcomeUnknownException unknown = catchThrowableOfType(OutcomeUnknownException.class, call);
        assertThat(unknown).isNotNull();
        store.behave();
        return unknown;
    }

    private S3Fence fence(S3Client of) {
        FenceEvents events = new FenceEvents() {
            @Override
            public void sealed(Grant grant, String resource) {
                if (!told.contains("sealed")) {
                    told.add("sealed");
                }
            }

            @Override
            public void refused(Grant grant, String resource, FenceException refusal) {
                told.add("refused");
            }

            @Override
            public void unknown(Grant grant, String resource, OutcomeUnknownException outcome) {
                told.add("unknown");
            }
        };
        // The probe has a test of its own; here it would use up the faults.
        return new S3Fence(Stores.of(new SyncCalls(of), "fake", SETTINGS.withEvents(events), Clients.impatient())
                .slots());
    }
}
