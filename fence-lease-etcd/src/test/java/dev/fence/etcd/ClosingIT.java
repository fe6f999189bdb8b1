package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.FenceEvents;
import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.LeaseLostException;
import dev.fence.LeaseSettings;
import dev.fence.LossReason;
import dev.fence.ReleaseOutcome;
import dev.fence.SessionTiming;
import dev.fence.fixtures.Direction;
import dev.fence.fixtures.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("counts the threads of this process")
class ClosingIT extends EtcdCase {

    private static Set<Thread> ours() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("fence-etcd-"))
                .collect(Collectors.toSet());
    }

    @Test
    void neitherThreadsNorKeysAreLeft() throws Exception {
        Set<Thread> before = ours();
        EtcdLeases leases = open();
        Lease held = leases.acquire("a", LONG);
        CompletableFuture<Lease> waiting = LeasesContract.acquiring(leases, "a");
        soon().until(() -> raw.keys("q/").size() == 2);
        assertThat(ours()).hasSizeGreaterThan(before.size()).allMatch(Thread::isDaemon);

        leases.close();
        assertThatThrownBy(() -> waiting.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(LeaseLostException.class);
        assertThat(raw.keys("")).isEmpty();
        soon().until(() -> before.containsAll(ours()));
        held.onLoss(reason -> assertThat(reason.kind()).isEqualTo(LossReason.Kind.CLOSED));
        assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    /** One by one, or a few at a time, each release would wait for its answer in vain. */
    @Test
    void manyLeasesCloseAsFastAsOneWhenEtcdIsSilent() throws Exception {
        TcpProxy proxy = proxy();
        EtcdLeases leases = open(brisk(through(proxy)));
        CountDownLatch told = new CountDownLatch(200);
        for (int i = 0; i < 200; i++) {
            leases.acquire("lease/" + i, LONG).onLoss(reason -> told.countDown());
        }
        proxy.drop(Direction.TO_SERVER);

        CompletableFuture<?> closed = CompletableFuture.runAsync(leases::close);
        assertThat(closed)
                .succeedsWithin(BRISK.multipliedBy(2)); // at 2 s for each, sixteen at a time, it would be 25 s
        assertThat(told.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void workThatGoesOnKeepsTheKeyUntilTheTimeToLive() throws Exception {
        EtcdLeases leases = open(settings(etcd.endpoint()).withTiming(SessionTiming.ofTtl(Duration.ofSeconds(5))));
        EtcdLeases others = open();
        Lease lease = leases.acquire("a", LONG, LeaseSettings.DEFAULTS.withGrace(SHORT));
        try (Lease.Work work = lease.begin()) {
            leases.close();
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.LEFT_TO_TTL);
            assertThat(raw.keys("q/")).hasSize(1);
            assertThat(work).isNotNull();
            others.acquire("a", LONG).close();
        }
    }

    /** What was left to a later attempt, as work outlived the grace time, is no reason to leave all to their time to live. */
    @Test
    void aLeaseThatWaitsForItsLaterReleaseKeepsNoOther() throws Exception {
        EtcdLeases leases = open(
                settings(etcd.endpoint()).withTiming(SessionTiming.ofTtl(Duration.ofMinutes(5)))); // retried after 30 s
        Lease outlived = leases.acquire("a", LONG, LeaseSettings.DEFAULTS.withGrace(SHORT));
        Lease.Work work = outlived.begin();
        assertThat(outlived.release()).isEqualTo(ReleaseOutcome.LEFT_TO_TTL);
        work.close();
        Lease other = leases.acquire("b", LONG);

        leases.close();
        assertThat(other.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(raw.keys("")).isEmpty();
    }

    @Test
    void aListenerThatNeverEndsStopsNothing() throws Exception {
        CountDownLatch never = closedAfterwards(new Latch()).latch;
        List<String> lost = new CopyOnWriteArrayList<>();
        EtcdLeases leases = open(brisk(etcd.endpoint()).withEvents(new FenceEvents() {
            @Override
            public void lost(Grant grant, LossReason reason) {
                lost.add(grant.leaseName());
                if (grant.leaseName().equals("first")) {
                    awaitQuietly(never);
                }
            }
        }));
        Lease other = leases.acquire("other", LONG);
        CountDownLatch told = new CountDownLatch(1);
        other.onLoss(reason -> told.countDown());
        Lease first = leases.acquire("first", LONG, LeaseSettings.DEFAULTS.withMaxHold(SHORT));
        first.onLoss(reason -> awaitQuietly(never));
        soon().until(() -> lost.contains("first"));

        awaitHeartbeat(other);
        awaitHeartbeat(other);
        soon().until(() -> isHeld(other));
        raw.revokeSession();
        assertThat(told.await(10, TimeUnit.SECONDS)).isTrue();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        Waits.through(Duration.ofMinutes(1), nanos -> latch.await(nanos, TimeUnit.NANOSECONDS));
    }

    private static final class Latch implements AutoCloseable {
        final CountDownLatch latch = new CountDownLatch(1);

        @Override
        public void close() {
            latch.countDown();
        }
    }
}
