package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.BusyException;
import dev.fence.Lease;
import dev.fence.LeaseState;
import dev.fence.LossReason;
import dev.fence.fixtures.Direction;
import dev.fence.fixtures.TcpProxy;
import dev.fence.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** C03: one hung renewal starves the rest. */
@Execution(ExecutionMode.CONCURRENT)
class C03HungRenewalIT extends EtcdCase {

    @Test
    void aSessionWhoseHeartbeatsHangDoesNotTouchTheOtherAndEndsByItsOwnClock() throws Exception {
        TcpProxy proxy = proxy();
        EtcdLeases sound = open(brisk(etcd.endpoint()));
        List<Lease> others = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            others.add(sound.acquire("other/" + i, LONG));
        }
        Lease hung = open(brisk(through(proxy))).acquire("hung", LONG);
        proxy.hold(Direction.TO_CLIENT);
        long held = System.nanoTime();
        for (long asked = held; !(hung.state() instanceof LeaseState.Lost); asked = System.nanoTime()) {
            assertThat(Duration.ofNanos(asked - held)).isLessThan(BRISK);
            assertThat(others).noneMatch(lease -> lease.state() instanceof LeaseState.Lost);
            TimeUnit.MILLISECONDS.sleep(20);
        }
        soon().until(() -> others.stream().allMatch(EtcdCase::isHeld));
    }

    @Test
    void everyCallHasADeadlineWithinTheLease() throws Exception {
        TcpProxy proxy = proxy();
        Lease hung = open(settings(through(proxy))).acquire("hung", LONG);
        proxy.hold(Direction.TO_CLIENT);
        assertThatThrownBy(hung::confirm).isInstanceOf(BusyException.class); // not that it is lost
        assertThat(hung.state()).isNotInstanceOf(LeaseState.Lost.class);
    }

    @Test
    void aListenerThatNeverReturnsStopsNeitherHeartbeatsNorOtherListeners() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch heard = new CountDownLatch(1);
        EtcdLeases leases = open(brisk(etcd.endpoint()));
        Lease first = leases.acquire("first", LONG);
        first.onLoss(reason -> {
            blocked.countDown();
            try {
                never.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Lease third = leases.acquire("third", LONG);
        Lease second = leases.acquire("second", LONG);
        second.onLoss(reason -> heard.countDown());
        try {
            raw.delete(raw.keys("q/first/").get(0));
            assertThat(blocked.await(10, TimeUnit.SECONDS)).isTrue();
            raw.delete(raw.keys("q/second/").get(0));
            assertThat(heard.await(10, TimeUnit.SECONDS)).isTrue();
            awaitHeartbeat(third);
            awaitHeartbeat(third);
            third.confirm();
            assertThat(isHeld(third)).isTrue();
        } finally {
            never.countDown();
        }
    }

    @Test
    void aPauseOfTheProcessIsInTheReasonWithItsMeasuredLength() throws Exception {
        AtomicLong skipped = new AtomicLong();
        TimeSource time = new TimeSource(
                () -> System.nanoTime() + skipped.get(),
                () -> System.currentTimeMillis() + TimeUnit.NANOSECONDS.toMillis(skipped.get()));
        EtcdLeases leases = closedAfterwards(EtcdLeases.open(settings(etcd.endpoint()), time));
        Lease lease = leases.acquire("a", LONG);
        TimeUnit.MILLISECONDS.sleep(300); // a few ticks
        skipped.addAndGet(TimeUnit.SECONDS.toNanos(25));

        assertThat(lease.state()).isInstanceOfSatisfying(LeaseState.Lost.class, lost -> {
            assertThat(lost.reason().kind()).isEqualTo(LossReason.Kind.PAUSED);
            assertThat(lost.reason().detail()).containsPattern("stood still for (24|25)\\d\\d\\d ms");
        });
    }
}
