package dev.fence.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fence.FenceEvents;
import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.LeaseSettings;
import dev.fence.LeaseState;
import dev.fence.LossReason;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@link LeaseSettings#maxHold}: a lease that is healthy and is over all the same. */
class LongestHoldTest {

    private final OneLeaseService service = new OneLeaseService();

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void c07TheLongestHoldEndsTheLeaseAndFreesItForTheSuccessor() {
        Lease lease = lease(Duration.ofSeconds(5));
        service.advance(Duration.ofSeconds(5));

        assertThat(lease.state())
                .isInstanceOfSatisfying(
                        LeaseState.Lost.class,
                        lost -> assertThat(lost.reason().kind()).isEqualTo(LossReason.Kind.MAX_HOLD));
        await().until(() -> service.record.get() == null);
    }

    @Test
    void whatIsLeftOfTheHoldIsLeftOfTheLease() {
        Lease lease = lease(Duration.ofSeconds(5));
        assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(5));
        service.advance(Duration.ofSeconds(2));

        assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void theLongestHoldIsNoticedThoughNobodyAsks() {
        lease(Duration.ofMillis(1));
        service.advance(Duration.ofMillis(1));

        await().until(() -> service.record.get() == null);
    }

    @Test
    void anEventListenerThatBlocksDoesNotBlockTheTimer() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        lease(Duration.ofMillis(1), new FenceEvents() {
            @Override
            public void lost(Grant grant, LossReason reason) {
                told.countDown();
                assertThat(within(never)).isTrue();
            }
        });
        service.advance(Duration.ofMillis(1));
        assertThat(within(told)).isTrue();

        service.timer().schedule(() -> {}, 0, TimeUnit.MILLISECONDS).get(5, TimeUnit.SECONDS);
        never.countDown();
    }

    @Test
    void aTimerThatIsAheadOfTheClockAsksAgainAfterWhatIsLeft() {
        lease(Duration.ofMillis(500));
        service.advance(Duration.ofMillis(499));
        await().until(() -> service.delays.contains(Duration.ofMillis(1)));
        assertThat(service.record).hasValue(OneLeaseService.GRANT);

        service.advance(Duration.ofMillis(1));
        await().until(() -> service.record.get() == null);
        assertThat(service.delays.get(0)).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void aLeaseThatMayBeHeldForGoodLeavesNothingInTheTimer() {
        lease(LeaseSettings.DEFAULTS.maxHold());

        assertThat(service.delays).isEmpty();
    }

    private Lease lease(Duration maxHold) {
        return lease(maxHold, FenceEvents.NONE);
    }

    private Lease lease(Duration maxHold, FenceEvents events) {
        LeaseSettings settings = LeaseSettings.DEFAULTS.withMaxHold(maxHold);
        return ManagedLease.granted(OneLeaseService.GRANT, settings, service.session, service, service.time, events);
    }

    private static boolean within(CountDownLatch latch) {
        try {
            return latch.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
