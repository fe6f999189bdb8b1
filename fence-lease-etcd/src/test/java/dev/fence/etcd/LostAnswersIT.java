package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.FenceException;
import dev.fence.Lease;
import dev.fence.ReleaseOutcome;
import dev.fence.SessionTiming;
import dev.fence.fixtures.Direction;
import dev.fence.fixtures.TcpProxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Answers of etcd that come late, and requests and answers that never arrive. */
@Execution(ExecutionMode.CONCURRENT) // they mostly wait
class LostAnswersIT extends EtcdCase {

    private final TcpProxy proxy = proxy();
    private final EtcdLeases leases = open(settings(through(proxy)));

    @Test
    void aLeaseIsGoodFromWhenItsHeartbeatWasSentHoweverLateTheAnswer() throws Exception {
        Lease lease = leases.acquire("a", LONG);
        Duration late = Duration.ofMillis(400);
        proxy.delay(Direction.TO_CLIENT, late);
        lease.confirm();

        SessionTiming timing = settings(through(proxy)).timing();
        assertThat(lease.remaining())
                .isLessThanOrEqualTo(timing.ttl().minus(timing.reserve()).minus(late));
    }

    @Test
    void aReleaseWhoseAnswerWasLostWasOurs() throws Exception {
        Lease lease = leases.acquire("a", LONG);
        proxy.drop(Direction.TO_CLIENT);
        CompletableFuture<ReleaseOutcome> outcome = CompletableFuture.supplyAsync(lease::release);
        soon().until(() -> raw.keys("q/").isEmpty());
        proxy.pass();

        assertThat(outcome.get(20, TimeUnit.SECONDS)).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void whoGivesUpWhileNothingArrivesLeavesTheQueueAllTheSame() throws Exception {
        Lease holder = open().acquire("a", LONG);
        CompletableFuture<Boolean> waiter = CompletableFuture.supplyAsync(() -> {
            try {
                leases.acquire("a", Duration.ofSeconds(3));
                return true;
            } catch (FenceException e) {
                return false;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        soon().until(() -> raw.keys("q/").size() == 2);
        proxy.drop(Direction.TO_SERVER);
        assertThat(waiter.get(30, TimeUnit.SECONDS)).isFalse();
        proxy.pass();

        soon().until(() -> raw.keys("q/").size() == 1);
        assertThat(raw.keys("s/")).as("its session lives on").hasSize(2);
        holder.confirm();
    }
}
