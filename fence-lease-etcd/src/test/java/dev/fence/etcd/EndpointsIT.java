package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.BusyException;
import dev.fence.FenceException;
import dev.fence.Lease;
import dev.fence.SessionTiming;
import dev.fence.fixtures.Direction;
import dev.fence.fixtures.TcpProxy;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT) // they mostly wait
class EndpointsIT extends EtcdCase {

    @Test
    void nobodyThereIsBusyWithinABoundAndNamesTheEndpoints() throws Exception {
        String deaf = "http://127.0.0.1:" + closedAfterwards(deaf()).getLocalPort();
        TcpProxy hung = proxy();
        hung.hold(Direction.TO_SERVER);
        long asked = System.nanoTime();
        assertThatThrownBy(() -> open(brisk(deaf, through(hung))))
                .isInstanceOf(BusyException.class)
                .hasMessageContaining(deaf)
                .hasMessageContaining(through(hung));
        assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(20));
    }

    @Test
    void somethingElseThanEtcdIsToldApart() throws Exception {
        try (ServerSocket silent = new ServerSocket(0)) {
            assertThatThrownBy(() -> open(brisk("http://127.0.0.1:" + silent.getLocalPort())))
                    .isInstanceOf(FenceException.class)
                    .hasMessageContaining("opening a session");
        }
    }

    @Test
    void aDeadFirstEndpointIsPassedOver() throws Exception {
        EtcdLeases leases =
                open(settings("http://127.0.0.1:" + closedAfterwards(deaf()).getLocalPort(), etcd.endpoint()));
        leases.acquire("a", LONG).close();
    }

    @Test
    void aHungEndpointMovesHoldersAndWaitersToTheNext() throws Exception {
        TcpProxy first = proxy();
        // Its heartbeat is missed half way to the loss.
        SessionTiming timing = SessionTiming.ofTtl(Duration.ofSeconds(10));
        EtcdLeases leases = open(settings(through(first), etcd.endpoint()).withTiming(timing));
        Lease held = leases.acquire("mine", LONG);
        Lease ofAnother = open().acquire("a", LONG);
        CompletableFuture<Lease> waiting = LeasesContract.acquiring(leases, "a");
        soon().until(() -> raw.keys("q/").size() == 3);

        first.hold(Direction.TO_CLIENT);
        ofAnother.close();
        try (Lease moved = waiting.get(20, TimeUnit.SECONDS)) {
            moved.confirm();
        }
        held.confirm();
        soon().until(() -> isHeld(held));
    }
}
