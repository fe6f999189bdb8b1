package dev.fence.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.fence.BusyException;
import dev.fence.FenceEvents;
import dev.fence.FencingToken;
import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.LeaseLostException;
import dev.fence.LeaseSettings;
import dev.fence.LeaseState;
import dev.fence.LossReason;
import dev.fence.ReleaseOutcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ManagedLeaseTest {

    private static final LeaseSettings NO_GRACE = LeaseSettings.DEFAULTS.withGrace(Duration.ZERO);

    private final OneLeaseService service = new OneLeaseService();
    private final List<Object> events = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void closingGivesTheLeaseBackOnceAndTellsWhatCameOfIt() {
        Lease lease = lease(NO_GRACE);

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        lease.close();

        assertThat(service.releases).hasValue(1);
        assertThat(events).containsExactly(ReleaseOutcome.RELEASED);
        assertThat(kindOf(lease)).isEqualTo(LossReason.Kind.CLOSED);
    }

    @Test
    void anEventListenerThatThrowsChangesNothing() {
        FenceEvents failing = new FenceEvents() {
            @Override
            public void released(Grant grant, ReleaseOutcome outcome) {
                throw new IllegalStateException("a listener's own failure");
            }
        };
        Lease lease = lease(NO_GRACE, failing);

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void twoThreadsThatCloseReleaseOnce() throws Exception {
        Lease lease = lease(NO_GRACE);
        CountDownLatch go = new CountDownLatch(1);
        List<CompletableFuture<ReleaseOutcome>> closers = List.of(
                CompletableFuture.supplyAsync(() -> releaseAfter(go, lease)),
                CompletableFuture.supplyAsync(() -> releaseAfter(go, lease)));
        go.countDown();

        for (CompletableFuture<ReleaseOutcome> closer : closers) {
            assertThat(closer.get(5, TimeUnit.SECONDS)).isEqualTo(ReleaseOutcome.RELEASED);
        }
        assertThat(service.releases).hasValue(1);
    }

    @Test
    void c08LateReleaseLeavesTheSuccessorsRecordAlone() {
        Lease lease = lease(NO_GRACE);
        service.advance(Duration.ofSeconds(30));
        Grant successor = new Grant("etcd", "payouts/EU", new FencingToken(42), Grant.newHolder());
        service.record.set(successor);

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.NOT_OWNER);
        assertThat(service.record).hasValue(successor);
    }

    @Test
    void workIsRefusedOnceTheLeaseIsClosedOrOver() {
        Lease closed = lease(NO_GRACE);
        closed.close();
        assertThatThrownBy(closed::begin)
                .isInstanceOfSatisfying(
                        LeaseLostException.class,
                        e -> assertThat(e.reason().kind()).isEqualTo(LossReason.Kind.CLOSED));

        Lease over = lease(NO_GRACE);
        service.advance(Duration.ofSeconds(9));
        assertThatThrownBy(over::begin).isInstanceOf(LeaseLostException.class).hasMessageContaining("9000 ms");
    }

    @Test
    void workThatWasRefusedIsNotCountedAsInFlight() {
        Lease lease = lease(LeaseSettings.DEFAULTS.withGrace(Duration.ofMinutes(1)));
        service.session.lost(new LossReason(LossReason.Kind.REVOKED, "revoked"));
        assertThatThrownBy(lease::begin).isInstanceOf(LeaseLostException.class);

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void closingTellsTheWorkFirstAndReleasesOnlyAfterItEnded() throws Exception {
        Lease lease = lease(LeaseSettings.DEFAULTS.withGrace(Duration.ofMinutes(1)));
        Lease.Work work = lease.begin();
        BlockingQueue<LossReason> signal = new LinkedBlockingQueue<>();
        lease.onLoss(signal::add);

        CompletableFuture<ReleaseOutcome> closer = CompletableFuture.supplyAsync(lease::release);
        assertThat(signal.poll(5, TimeUnit.SECONDS))
                .extracting(LossReason::kind)
                .isEqualTo(LossReason.Kind.CLOSED);
        assertThat(service.record).hasValue(OneLeaseService.GRANT);
        assertThat(closer).isNotDone();

        work.close();
        work.close();
        assertThat(closer.get(5, TimeUnit.SECONDS)).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void workThatOutlivesTheGraceTimeKeepsTheRecordUntilItEnds() {
        Lease lease = lease(NO_GRACE);
        Lease.Work work = lease.begin();

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.LEFT_TO_TTL);
        assertThat(service.record).hasValue(OneLeaseService.GRANT);

        work.close();
        await().until(() -> service.record.get() == null);
    }

    @Test
    void workThatNeverEndsKeepsTheRecordForOneTimeToLive() {
        Lease lease = lease(NO_GRACE);
        lease.begin();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.LEFT_TO_TTL);

        service.advance(service.ttl().minusMillis(1));
        await().during(Duration.ofMillis(50)).until(() -> service.record.get() != null);
        service.advance(Duration.ofMillis(1));
        await().until(() -> service.record.get() == null);
    }

    @Test
    void aReleaseThatWasNotAnsweredIsRepeatedUntilItIs() {
        Lease lease = lease(NO_GRACE);
        service.silent = true;
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.LEFT_TO_TTL);

        service.silent = false;
        await().until(() -> service.record.get() == null);
        assertThat(service.delays).containsOnly(service.ttl().dividedBy(10));
    }

    @Test
    void aReleaseThatFailsWhileTheSessionIsClosedIsLeftToTheTimeToLiveForEveryCloser() {
        Lease lease = lease(NO_GRACE);
        service.silent = true;
        service.close();

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.LEFT_TO_TTL);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.LEFT_TO_TTL);
    }

    @Test
    void anInterruptEndsTheGraceTimeAndStaysVisible() {
        Lease lease = lease(LeaseSettings.DEFAULTS.withGrace(Duration.ofMinutes(1)));
        lease.begin();
        Thread.currentThread().interrupt();

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.LEFT_TO_TTL);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aListenerIsToldOnceWhateverEndsTheLease() throws Exception {
        Lease lease = lease(NO_GRACE);
        BlockingQueue<LossReason> told = new LinkedBlockingQueue<>();
        lease.onLoss(told::add);
        service.session.lost(new LossReason(LossReason.Kind.REVOKED, "revoked"));
        lease.state();
        lease.state();
        lease.close();

        assertThat(told.poll(5, TimeUnit.SECONDS)).extracting(LossReason::kind).isEqualTo(LossReason.Kind.REVOKED);
        assertThat(told.poll(50, TimeUnit.MILLISECONDS)).isNull();
        assertThat(events).containsExactly(LossReason.Kind.REVOKED, ReleaseOutcome.RELEASED);
    }

    @Test
    void aSecondReasonChangesNothingAndIsNotTold() {
        ManagedLease lease = lease(NO_GRACE);
        lease.lost(new LossReason(LossReason.Kind.REMOVED, "removed"));
        lease.lost(new LossReason(LossReason.Kind.REVOKED, "revoked"));

        assertThat(lease).hasToString(OneLeaseService.GRANT + " " + lease.state());
        assertThat(kindOf(lease)).isEqualTo(LossReason.Kind.REMOVED);
        assertThat(events).containsExactly(LossReason.Kind.REMOVED);
    }

    @Test
    void aLeaseThatItsClosedSessionLeavesIsToldAsLeftToItsTimeToLiveAndNotAsLost() {
        Lease lease = lease(NO_GRACE);
        service.session.lost(new LossReason(LossReason.Kind.CLOSED, "closed"));

        assertThat(kindOf(lease)).isEqualTo(LossReason.Kind.CLOSED);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.LEFT_TO_TTL);
        assertThat(events).containsExactly(ReleaseOutcome.LEFT_TO_TTL);
        assertThat(service.releases).hasValue(0);
    }

    @Test
    void aListenerThatComesLateIsToldAtOnce() throws Exception {
        Lease lease = lease(NO_GRACE);
        lease.close();
        BlockingQueue<LossReason> told = new LinkedBlockingQueue<>();
        lease.onLoss(told::add);

        assertThat(told.poll(5, TimeUnit.SECONDS)).extracting(LossReason::kind).isEqualTo(LossReason.Kind.CLOSED);
    }

    @Test
    void c03AListenerThatBlocksOrThrowsStopsNoOther() throws Exception {
        Lease lease = lease(NO_GRACE);
        CountDownLatch never = new CountDownLatch(1);
        BlockingQueue<LossReason> told = new LinkedBlockingQueue<>();
        lease.onLoss(reason -> awaitQuietly(never));
        lease.onLoss(reason -> {
            throw new IllegalStateException("a listener's own failure");
        });
        lease.onLoss(told::add);

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(told.poll(5, TimeUnit.SECONDS)).isNotNull();
        never.countDown();
    }

    @Test
    void confirmingReturnsOnlyIfTheServiceSaysYes() {
        Lease lease = lease(NO_GRACE);
        lease.confirm();

        service.silent = true;
        assertThatThrownBy(lease::confirm).isInstanceOf(BusyException.class);
        assertThat(lease.state()).isEqualTo(new LeaseState.Held());

        service.silent = false;
        service.record.set(null);
        assertThatThrownBy(lease::confirm).isInstanceOf(LeaseLostException.class);
        assertThat(kindOf(lease)).isEqualTo(LossReason.Kind.REMOVED);
    }

    @Test
    void confirmingALeaseThatIsOverByOurOwnClockIsRefusedWithoutAsking() {
        Lease lease = lease(NO_GRACE);
        service.advance(Duration.ofSeconds(9));

        assertThatThrownBy(lease::confirm).isInstanceOf(LeaseLostException.class);
        assertThat(service.confirms).hasValue(0);
    }

    @Test
    void aConfirmationThatComesAfterTheEndIsNone() {
        Lease lease = lease(NO_GRACE);
        service.answersAfter = Duration.ofSeconds(9);

        assertThatThrownBy(lease::confirm).isInstanceOf(LeaseLostException.class);
        assertThat(service.confirms).hasValue(1);
    }

    private ManagedLease lease(LeaseSettings settings) {
        FenceEvents recorder = new FenceEvents() {
            @Override
            public void lost(Grant grant, LossReason reason) {
                events.add(reason.kind());
            }

            @Override
            public void released(Grant grant, ReleaseOutcome outcome) {
                events.add(outcome);
            }
        };
        return lease(settings, recorder);
    }

    private ManagedLease lease(LeaseSettings settings, FenceEvents listener) {
        return ManagedLease.granted(OneLeaseService.GRANT, settings, service.session, service, service.time, listener);
    }

    private static LossReason.Kind kindOf(Lease lease) {
        return ((LeaseState.Lost) lease.state()).reason().kind();
    }

    private static ReleaseOutcome releaseAfter(CountDownLatch go, Lease lease) {
        awaitQuietly(go);
        return lease.release();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
