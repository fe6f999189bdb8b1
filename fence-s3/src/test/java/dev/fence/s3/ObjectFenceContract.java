package dev.fence.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.BusyException;
import dev.fence.FencingToken;
import dev.fence.Grant;
import dev.fence.GuardMissingException;
import dev.fence.Lease;
import dev.fence.LeaseLostException;
import dev.fence.StaleTokenException;
import dev.fence.TokenSourceException;
import dev.fence.TokenSourceException.Problem;
import dev.fence.WriteId;
import dev.fence.WriteOutcome;
import dev.fence.fixtures.InMemoryLeases;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** What holds on every store, one request at a time. */
abstract class ObjectFenceContract {

    static final S3FenceSettings SETTINGS =
            S3FenceSettings.DEFAULTS.withRequestTimeout(Duration.ofSeconds(10)).withPatience(Duration.ofSeconds(30));

    final Holders holders = new Holders("test", "exports/EU");
    final String resource = "contract/" + UUID.randomUUID() + "/ledger";

    abstract S3Client client();

    abstract String bucket();

    S3Fence fence() {
        return S3Fence.on(client(), bucket(), SETTINGS);
    }

    FencedObjects reader() {
        return FencedObjects.on(client(), bucket(), SETTINGS);
    }

    @AfterEach
    void closeHolders() {
        holders.close();
    }

    @Test
    void aGuardIsCreatedOnceAndEmpty() {
        Lease lease = holders.next();

        assertThat(fence().create(lease, resource)).isTrue();
        assertThat(fence().create(lease, resource)).isFalse();
        assertThat(fence().create(holders.next(), resource)).isFalse();
        assertThat(reader().read(resource)).isEmpty();
    }

    @Test
    void aGuardIsBoundToSourceAndLeaseName() {
        fence().create(holders.next(), resource);

        try (Holders otherName = new Holders("test", "exports/US");
                Holders otherSource = new Holders("elsewhere", "exports/EU")) {
            assertProblem(Problem.OTHER_LEASE_NAME, () -> fence().create(otherName.next(), resource));
            assertProblem(Problem.OTHER_LEASE_NAME, () -> fence().seal(otherName.next(), resource));
            assertProblem(Problem.FOREIGN_SOURCE, () -> fence().create(otherSource.next(), resource));
            assertProblem(Problem.FOREIGN_SOURCE, () -> fence().seal(otherSource.next(), resource));
        }
    }

    @Test
    void aGuardIsCreatedOnlyWithALeaseThatTheServiceConfirmedInThatCall() {
        InMemoryLeases process = holders.connect();
        Lease unreachable = holders.nextIn(process);
        process.cutOff(true);

        assertThatThrownBy(() -> fence().create(unreachable, resource)).isInstanceOf(BusyException.class);
        Lease taken = holders.next();
        holders.service.giveAway(holders.leaseName);
        assertThatThrownBy(() -> fence().create(taken, resource)).isInstanceOf(LeaseLostException.class);
        assertThat(raw()).isEmpty();
    }

    @Test
    void anObjectIsAdoptedOnlyWithALeaseThatTheServiceConfirmedInThatCall() {
        client().putObject(r -> r.bucket(bucket()).key(resource), RequestBody.fromString("legacy"));
        InMemoryLeases process = holders.connect();
        Lease unreachable = holders.nextIn(process);
        process.cutOff(true);

        assertThatThrownBy(() -> fence().adopt(unreachable, resource)).isInstanceOf(BusyException.class);
        Lease taken = holders.next();
        holders.service.giveAway(holders.leaseName);
        assertThatThrownBy(() -> fence().adopt(taken, resource)).isInstanceOf(LeaseLostException.class);
        assertThat(raw()).contains("legacy");
    }

    @Test
    void nothingIsSealedOrWrittenWhereNoGuardWasCreated() {
        Lease lease = holders.next();

        assertThatThrownBy(() -> fence().seal(lease, resource)).isInstanceOf(GuardMissingException.class);
        assertThatThrownBy(() -> put(fence().attach(lease.grant(), resource), "x"))
                .isInstanceOf(GuardMissingException.class);
        assertThat(raw()).isEmpty();
    }

    @Test
    void whatWasWrittenIsReadWithoutItsStamp() {
        ObjectWriter writer = created();
        put(writer, "one");
        put(writer, "two");

        assertThat(read()).contains("two");
        assertThat(reader().read(resource).orElseThrow().guard()).isEqualTo(writer.grant());
        assertThat(raw().orElseThrow()).startsWith("fence-object:1\n").endsWith("\n\ntwo");
    }

    @Test
    void theEmptyValueIsAValue() {
        put(created(), "");

        assertThat(read()).contains("");
    }

    @Test
    void aSealRefusesOlderHoldersThoughItsHolderNeverWrites() {
        ObjectWriter old = created();
        put(old, "kept");
        Lease newer = holders.next();

        fence().seal(newer, resource);

        assertThatExceptionOfType(StaleTokenException.class)
                .isThrownBy(() -> put(old, "late"))
                .satisfies(e -> {
                    assertThat(e.refused()).isEqualTo(old.grant());
                    assertThat(e.newest()).isEqualTo(newer.grant());
                });
        assertThat(read()).contains("kept");
    }

    @Test
    void aStaleWriterIsRefusedWhereTheNewHolderWroteTheVerySameBytes() {
        ObjectWriter old = created();
        put(old, "same");
        ObjectWriter newer = fence().seal(holders.next(), resource);
        put(newer, "same");

        assertThatThrownBy(() -> put(old, "late")).isInstanceOf(StaleTokenException.class);
        assertThat(read()).contains("same");
    }

    @Test
    void aHolderThatWasSupersededCannotSeal() {
        Lease old = holders.next();
        fence().create(old, resource);
        fence().seal(holders.next(), resource);

        assertThatThrownBy(() -> fence().seal(old, resource)).isInstanceOf(StaleTokenException.class);
    }

    @Test
    void sealingAgainWithTheSameLeaseIsARead() {
        Lease lease = holders.next();
        fence().create(lease, resource);
        put(fence().seal(lease, resource), "v");
        Optional<String> before = raw();

        fence().seal(lease, resource);

        assertThat(raw()).isEqualTo(before);
    }

    @Test
    void aSealKeepsTheValue() {
        put(created(), "kept");

        fence().seal(holders.next(), resource);

        assertThat(read()).contains("kept");
    }

    @Test
    void theSameTokenOfAnotherHolderIsRefused() {
        ObjectWriter writer = created();
        Grant twin = new Grant("test", "exports/EU", writer.grant().token(), Grant.newHolder());

        assertProblem(Problem.REUSED_TOKEN, () -> put(fence().attach(twin, resource), "x"));
        assertThat(read()).isEmpty();
    }

    @Test
    void aHandedOverGrantWritesOnlyWhereItsLeaseHasSealed() {
        fence().create(holders.next(), resource);
        Lease lease = holders.next();
        ObjectWriter attached = fence().attach(Grant.parse(lease.grant().toString()), resource);

        assertProblem(Problem.HISTORY_LOST, () -> put(attached, "too early"));
        fence().seal(lease, resource);
        put(attached, "in time");
        assertThat(read()).contains("in time");
        fence().seal(holders.next(), resource);
        assertThatThrownBy(() -> put(attached, "too late")).isInstanceOf(StaleTokenException.class);
        assertThat(read()).contains("in time");
    }

    @Test
    void c14APresentHolderRefusedByAHigherGuardMeansThatTheSourceWentBackwards() {
        for (int i = 0; i < 3; i++) {
            fence().create(holders.next(), resource);
        }
        fence().seal(holders.next(), resource);
        holders.service.restoreTo(0);
        Lease present = holders.next();

        assertProblem(Problem.SOURCE_WENT_BACKWARDS, () -> fence().seal(present, resource));
    }

    @Test
    void deletingLeavesTheGuard() {
        ObjectWriter writer = created();
        put(writer, "v");

        writer.write(ObjectSlot::delete);

        assertThat(read()).isEmpty();
        assertThat(raw()).isPresent();
        ObjectWriter newer = fence().seal(holders.next(), resource);
        assertThatThrownBy(() -> put(writer, "revived")).isInstanceOf(StaleTokenException.class);
        put(newer, "anew");
        assertThat(read()).contains("anew");
    }

    @Test
    void anObjectThatWasRemovedBehindOurBackIsNotMadeAnew() {
        ObjectWriter writer = created();
        put(writer, "v");
        client().deleteObject(r -> r.bucket(bucket()).key(resource));

        assertThatThrownBy(() -> put(writer, "w")).isInstanceOf(GuardMissingException.class);
        assertThat(raw()).isEmpty();
    }

    @Test
    void anObjectThatWasOverwrittenBehindOurBackIsLeftAlone() {
        ObjectWriter writer = created();
        put(writer, "v");
        client().putObject(r -> r.bucket(bucket()).key(resource), RequestBody.fromString("legacy"));

        assertThatThrownBy(() -> put(writer, "w"))
                .isInstanceOf(GuardMissingException.class)
                .hasStackTraceContaining("has no stamp");
        assertThatThrownBy(() -> reader().read(resource)).isInstanceOf(GuardMissingException.class);
        assertThat(raw()).contains("legacy");
    }

    @Test
    void anExistingObjectIsAdoptedWithItsBytes() {
        client().putObject(r -> r.bucket(bucket()).key(resource), RequestBody.fromString("legacy"));
        Lease lease = holders.next();

        assertThatThrownBy(() -> fence().create(lease, resource)).isInstanceOf(GuardMissingException.class);
        assertThat(fence().adopt(lease, resource)).isTrue();
        assertThat(fence().adopt(lease, resource)).isFalse();
        assertThat(read()).contains("legacy");
        put(fence().seal(lease, resource), "fenced");
        assertThat(read()).contains("fenced");
    }

    @Test
    void whatIsNotThereCannotBeAdopted() {
        assertThatThrownBy(() -> fence().adopt(holders.next(), resource)).isInstanceOf(GuardMissingException.class);
        assertThat(raw()).isEmpty();
    }

    @Test
    void aReadWithinABodySeesWhatIsThereAndBindsTheWriteToIt() {
        ObjectWriter writer = created();
        put(writer, "1");

        int length = writer.call(slot -> {
            String seen = text(slot.read().orElseThrow());
            slot.put((seen + "2").getBytes(UTF_8));
            return seen.length();
        });

        assertThat(length).isEqualTo(1);
        assertThat(read()).contains("12");
    }

    @Test
    void aWriteBuiltOnAReadThatWasOvertakenIsBusyAndRunsOnce() {
        ObjectWriter writer = created();
        ObjectWriter sameHolder = fence().attach(writer.grant(), resource);
        List<String> runs = new ArrayList<>();

        assertThatThrownBy(() -> writer.write(slot -> {
                    runs.add(slot.read().map(ObjectFenceContract::text).orElse("nothing"));
                    put(sameHolder, "faster");
                    slot.put("lost".getBytes(UTF_8));
                }))
                .isInstanceOf(BusyException.class);

        assertThat(runs).containsExactly("nothing");
        assertThat(read()).contains("faster");
    }

    @Test
    void anUpdateRunsAgainOnWhatOvertookIt() {
        ObjectWriter writer = created();
        ObjectWriter sameHolder = fence().attach(writer.grant(), resource);
        List<String> runs = new ArrayList<>();

        writer.update(present -> {
            String seen = present.map(ObjectFenceContract::text).orElse("nothing");
            runs.add(seen);
            if (runs.size() == 1) {
                put(sameHolder, "faster");
            }
            return (seen + "+").getBytes(UTF_8);
        });

        assertThat(runs).containsExactly("nothing", "faster");
        assertThat(read()).contains("faster+");
    }

    @Test
    void aReadByASupersededHolderIsRefusedToo() {
        ObjectWriter old = created();
        fence().seal(holders.next(), resource);

        assertThatThrownBy(() -> old.call(ObjectSlot::read)).isInstanceOf(StaleTokenException.class);
        ObjectWriter attached = fence().attach(old.grant(), resource);
        assertThatThrownBy(() -> attached.update(present -> new byte[0])).isInstanceOf(StaleTokenException.class);
    }

    @Test
    void aBodyThatThrowsChangesNothing() {
        ObjectWriter writer = created();
        put(writer, "kept");
        List<WriteOutcome> outcomes = new ArrayList<>();

        assertThatThrownBy(() -> writer.write(slot -> {
                    slot.onOutcome(outcomes::add);
                    slot.put("dropped".getBytes(UTF_8));
                    throw new IOException("disk");
                }))
                .isExactlyInstanceOf(IOException.class);

        assertThat(read()).contains("kept");
        assertThat(outcomes).containsExactly(WriteOutcome.REFUSED);
    }

    @Test
    void aLeaseThatIsOverSendsNothing() {
        Lease lease = holders.next();
        fence().create(lease, resource);
        ObjectWriter writer = fence().seal(lease, resource);
        put(writer, "kept");
        lease.close();

        assertThatThrownBy(() -> put(writer, "late")).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> fence().seal(lease, resource)).isInstanceOf(LeaseLostException.class);
        assertThat(read()).contains("kept");
    }

    @Test
    void anyWriteOfTheLastSixteenCanBeVerified() {
        ObjectWriter writer = created();
        List<WriteId> ids = new ArrayList<>();
        for (int i = 0; i < 18; i++) {
            String value = Integer.toString(i);
            ids.add(writer.call(slot -> {
                slot.put(value.getBytes(UTF_8));
                return slot.writeId();
            }));
        }

        assertThat(ids.subList(1, 18)).allMatch(id -> fence().verify(resource, id) == WriteOutcome.APPLIED);
        assertThat(fence().verify(resource, ids.get(0))).isEqualTo(WriteOutcome.UNKNOWN);
        fence().seal(holders.next(), resource);
        assertThat(fence().verify(resource, ids.get(17))).isEqualTo(WriteOutcome.APPLIED_THEN_SUPERSEDED);
    }

    @Test
    void aPayloadIsPublishedReadAndReplaced() throws IOException {
        ObjectWriter writer = created();
        byte[] small = "small payload".getBytes(UTF_8);
        byte[] large = new byte[PayloadUpload.SMALLEST_PART_BYTES + 1];
        large[large.length - 1] = 7;

        publish(writer, small);
        assertThat(reader().read(resource).orElseThrow().bytes()).isEqualTo(small);
        publish(writer, large);
        assertThat(reader().read(resource).orElseThrow().bytes()).isEqualTo(large);
        ObjectWriter newer = fence().seal(holders.next(), resource);
        assertThat(reader().read(resource).orElseThrow().length()).isEqualTo(large.length);
        assertThat(newer.purge(Duration.ZERO)).isEqualTo(1);
        assertThat(reader().read(resource).orElseThrow().bytes()).isEqualTo(large);
    }

    ObjectWriter created() {
        Lease lease = holders.next();
        fence().create(lease, resource);
        return fence().seal(lease, resource);
    }

    static void publish(ObjectWriter writer, byte[] bytes) throws IOException {
        Payload payload = Payload.of(bytes.length, () -> new ByteArrayInputStream(bytes));
        writer.write(slot -> slot.publish(payload));
    }

    static void put(ObjectWriter writer, String value) {
        writer.write(slot -> slot.put(value.getBytes(UTF_8)));
    }

    Optional<String> read() {
        return reader().read(resource).map(ObjectFenceContract::text);
    }

    /** The object's bytes as anybody sees them. */
    Optional<String> raw() {
        return client().listObjectsV2(r -> r.bucket(bucket()).prefix(resource)).contents().stream()
                .filter(o -> o.key().equals(resource))
                .findFirst()
                .map(o -> client().getObjectAsBytes(r -> r.bucket(bucket()).key(resource))
                        .asUtf8String());
    }

    static String text(ObjectValue value) {
        return new String(value.bytes(), UTF_8);
    }

    static void assertProblem(Problem problem, ThrowingCallable call) {
        assertThatExceptionOfType(TokenSourceException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.problem()).isEqualTo(problem));
    }

    static Grant grant(long token) {
        return new Grant("test", "exports/EU", new FencingToken(token), Grant.newHolder());
    }
}
