package dev.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fence.BusyException;
import dev.fence.FencedWriter;
import dev.fence.Grant;
import dev.fence.GuardMissingException;
import dev.fence.Lease;
import dev.fence.LeaseLostException;
import dev.fence.LeaseSettings;
import dev.fence.SessionTiming;
import dev.fence.StaleTokenException;
import dev.fence.TokenSourceException;
import dev.fence.fixtures.InMemoryLeaseService;
import dev.fence.fixtures.VirtualTime;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a holder sees: create, seal, attach, write; and what a former holder sees. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class JdbcFenceIT {

    private static Ledger ledger;
    private static JdbcFence fence;

    private final String resource = Ledger.name();

    @BeforeAll
    static void migrate() throws SQLException {
        ledger = Ledger.create();
        fence = ledger.fence();
    }

    @Test
    void aHolderWritesAndReadsItsResult() throws SQLException {
        Lease lease = ledger.lease(resource);
        assertThat(fence.create(lease, resource)).isTrue();
        FencedWriter<Connection> writer = fence.seal(lease, resource);
        writer.write(c -> Ledger.insert(c, resource));
        String count = writer.call(c -> Ledger.ask(c, "SELECT count(*) FROM entry WHERE text = '" + resource + "'"));
        assertThat(count).isEqualTo("1");
        assertThat(writer.resource()).isEqualTo(resource);
        assertThat(writer.grant()).isEqualTo(lease.grant());
    }

    @Test
    void aSealRefusesTheOldWriterEvenIfTheNewOneNeverWrites() throws SQLException {
        Lease old = ledger.lease(resource);
        fence.create(old, resource);
        FencedWriter<Connection> writer = fence.seal(old, resource);
        Lease next = ledger.lease(resource);
        fence.seal(next, resource);
        StaleTokenException refusal =
                catchThrowableOfType(StaleTokenException.class, () -> writer.write(c -> Ledger.insert(c, resource)));
        assertThat(refusal.newest()).isEqualTo(next.grant());
        assertThat(refusal.refused()).isEqualTo(old.grant());
        assertThat(refusal)
                .hasMessageContaining(resource)
                .hasMessageContaining(next.token().toString())
                .hasMessageContaining(next.grant().holder().toString());
        assertThat(ledger.count(resource)).isZero();
    }

    @Test
    void aFormerHolderCannotSealAgain() {
        Lease old = ledger.lease(resource);
        fence.create(old, resource);
        Lease next = ledger.lease(resource);
        fence.seal(next, resource);
        assertThatThrownBy(() -> fence.seal(old, resource)).isInstanceOf(StaleTokenException.class);
    }

    @Test
    void sealingAgainIsARead() throws SQLException {
        Lease lease = ledger.lease(resource);
        fence.create(lease, resource);
        String version = "SELECT xmin || '/' || sealed_at FROM fence.guard WHERE resource = '" + resource + "'";
        String before = ledger.ask(version);
        fence.seal(lease, resource);
        assertThat(ledger.ask(version)).isEqualTo(before);
    }

    @Test
    void anAttachedGrantWritesWhileItIsTheNewest() throws SQLException {
        Lease lease = ledger.lease(resource);
        fence.create(lease, resource);
        Grant handedOver = Grant.parse(lease.grant().toString());
        FencedWriter<Connection> worker = fence.attach(handedOver, resource);
        worker.write(c -> Ledger.insert(c, resource));
        fence.seal(ledger.lease(resource), resource);
        assertThatThrownBy(() -> worker.write(c -> Ledger.insert(c, resource))).isInstanceOf(StaleTokenException.class);
        assertThat(ledger.count(resource)).isEqualTo(1);
    }

    @Test
    void attachingNeverRaisesTheGuard() {
        fence.create(ledger.lease(resource), resource);
        Grant unsealed = ledger.lease(resource).grant();
        TokenSourceException refusal = catchThrowableOfType(
                TokenSourceException.class,
                () -> fence.attach(unsealed, resource).write(c -> {}));
        assertThat(refusal.problem()).isEqualTo(TokenSourceException.Problem.NOT_SEALED);
    }

    @Test
    void withoutAGuardNothingIsSealedOrWritten() {
        Lease lease = ledger.lease(resource);
        assertThatThrownBy(() -> fence.seal(lease, resource)).isInstanceOf(GuardMissingException.class);
        assertThatThrownBy(() -> fence.attach(lease.grant(), resource).write(c -> {}))
                .isInstanceOf(GuardMissingException.class)
                .hasMessageContaining(resource);
    }

    @Test
    void creatingAgainLeavesTheGuardAsItIs() throws SQLException {
        Lease first = ledger.lease(resource);
        fence.create(first, resource);
        assertThat(fence.create(ledger.lease(resource), resource)).isFalse();
        assertThat(ledger.ask("SELECT token FROM fence.guard WHERE resource = '" + resource + "'"))
                .isEqualTo(first.token().toString());
    }

    @Test
    void aLeaseThatTheServiceDoesNotConfirmCreatesNothing() throws SQLException {
        Lease lease = ledger.lease(resource);
        ledger.service.giveAway(resource);
        assertThatThrownBy(() -> fence.create(lease, resource)).isInstanceOf(LeaseLostException.class);
        assertThat(ledger.ask("SELECT count(*) FROM fence.guard WHERE resource = '" + resource + "'"))
                .isEqualTo("0");
    }

    @Test
    void aLostLeaseBorrowsNoConnection() {
        VirtualTime time = new VirtualTime();
        Lease lease = new InMemoryLeaseService("test", time, SessionTiming.ofTtl(Duration.ofSeconds(10)))
                .connect()
                .tryAcquire(resource, LeaseSettings.DEFAULTS)
                .orElseThrow();
        CountingDataSource counting = new CountingDataSource(ledger.dataSource);
        JdbcFence counted = JdbcFence.on(counting);
        counted.create(lease, resource);
        FencedWriter<Connection> writer = counted.seal(lease, resource);
        int before = counting.borrowed();
        time.advance(Duration.ofSeconds(10));
        assertThatThrownBy(() -> writer.write(c -> {})).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> counted.seal(lease, resource)).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> counted.create(lease, resource)).isInstanceOf(LeaseLostException.class);
        assertThat(counting.borrowed()).isEqualTo(before);
    }

    @Test
    void aPresentHolderBelowTheGuardIsASourceThatWentBackwards() {
        fence.create(ledger.lease(resource, 500), resource);
        Lease present = ledger.lease(resource, 100);
        TokenSourceException refusal =
                catchThrowableOfType(TokenSourceException.class, () -> fence.seal(present, resource));
        assertThat(refusal.problem()).isEqualTo(TokenSourceException.Problem.SOURCE_WENT_BACKWARDS);
    }

    /** An operator has set the guard by hand, or the source goes backwards: no newer holder can exist. */
    @Test
    void aPresentHolderWhoseGuardWasRaisedPastItIsToldSoHoweverItWrites() throws SQLException {
        Lease present = ledger.lease(resource);
        fence.create(present, resource);
        JdbcWriter writer = fence.seal(present, resource);
        ledger.run("SELECT fence.override_v1('" + resource + "', '"
                + present.grant().source() + "', '" + present.name() + "', 1000000, 'me', 'because')");
        for (ThrowingCallable write : List.<ThrowingCallable>of(
                () -> writer.write(c -> {}), () -> writer.execute("DELETE FROM entry WHERE false"))) {
            assertThat(catchThrowableOfType(TokenSourceException.class, write).problem())
                    .isEqualTo(TokenSourceException.Problem.SOURCE_WENT_BACKWARDS);
        }
    }

    @Test
    void aSealWaitsNoLongerThanItsLeaseIsGood() throws SQLException {
        VirtualTime time = new VirtualTime();
        InMemoryLeaseService service =
                new InMemoryLeaseService("test", time, SessionTiming.ofTtl(Duration.ofSeconds(30)));
        Lease old =
                service.connect().tryAcquire(resource, LeaseSettings.DEFAULTS).orElseThrow();
        JdbcFence patient = JdbcFence.on(ledger.dataSource, ledger.settings.withSealWait(Duration.ofSeconds(20)));
        patient.create(old, resource);
        service.giveAway(resource);
        Lease next =
                service.connect().tryAcquire(resource, LeaseSettings.DEFAULTS).orElseThrow();
        time.advance(next.remaining().minusMillis(200));
        patient.attach(old.grant(), resource)
                .write(c ->
                        assertThatThrownBy(() -> patient.seal(next, resource)).isInstanceOf(BusyException.class));
    }

    @Test
    void eventsTellSealsAndRefusals() {
        Lease old = ledger.lease(resource);
        fence.create(old, resource);
        FencedWriter<Connection> writer = fence.seal(old, resource);
        Lease next = ledger.lease(resource);
        fence.seal(next, resource);
        assertThatThrownBy(() -> writer.write(c -> {})).isInstanceOf(StaleTokenException.class);
        assertThat(ledger.events)
                .containsSubsequence(
                        "sealed " + old.token() + " " + resource,
                        "sealed " + next.token() + " " + resource,
                        "refused " + old.token() + " " + resource + " StaleTokenException")
                .filteredOn(event -> event.equals("sealed " + old.token() + " " + resource))
                .hasSize(1);
    }
}
