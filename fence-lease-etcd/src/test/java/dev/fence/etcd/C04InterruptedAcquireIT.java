package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.BusyException;
import dev.fence.FenceException;
import dev.fence.Lease;
import dev.fence.SessionTiming;
import dev.fence.fixtures.Direction;
import dev.fence.fixtures.TcpProxy;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** C04: an interrupted or timed-out acquire leaves a ghost. */
@Execution(ExecutionMode.CONCURRENT) // one of them mostly waits
class C04InterruptedAcquireIT extends EtcdCase {

    @Test
    void manyRandomInterruptsLeaveNothing() throws Exception {
        EtcdLeases leases = open();
        Random random = new Random(4);
        Thread caller = Thread.currentThread();
        int interrupted = 0;
        for (int i = 0; i < 200; i++) {
            long nanos = random.nextLong(3_000_000);
            Thread interrupter = new Thread(() -> {
                LockSupport.parkNanos(nanos);
                caller.interrupt();
            });
            interrupter.start();
            try {
                leases.acquire("g", LONG).close();
            } catch (InterruptedException e) {
                interrupted++;
            }
            joinUninterrupted(interrupter);
            Thread.interrupted();
        }
        assertThat(interrupted).isPositive();
        soon().until(() -> raw.keys("q/").isEmpty() && raw.keys("t/").isEmpty());
        leases.tryAcquire("g").orElseThrow().close();
    }

    private static void joinUninterrupted(Thread thread) {
        Waits.through(LONG, nanos -> {
            TimeUnit.NANOSECONDS.timedJoin(thread, nanos);
            return true;
        });
    }

    @Test
    void anAnswerThatIsLostIsNoGrantTwiceAndNoGhost() throws Exception {
        TcpProxy proxy = proxy();
        EtcdLeases leases = open(settings(through(proxy)));
        for (int i = 0; i < 5; i++) {
            proxy.drop(Direction.TO_CLIENT);
            Thread healer = new Thread(() -> {
                try {
                    soon().until(() -> raw.keys("q/").size() == 1); // so its answer was lost
                } finally {
                    proxy.pass();
                }
            });
            healer.start();
            try (Lease lease = leases.acquire("g", LONG)) {
                lease.confirm();
                assertThat(raw.keys("q/")).hasSize(1);
            }
            joinUninterrupted(healer);
            assertThat(raw.keys("q/")).isEmpty();
        }
    }

    @Test
    void aRequestThatArrivesAfterItWasGivenUpPutsNothing() throws Exception {
        TcpProxy proxy = proxy();
        // Giving up takes two thirds of a time to live, and the session must be there to leave the tombstone.
        EtcdLeases leases = open(settings(through(proxy)).withTiming(SessionTiming.ofTtl(Duration.ofSeconds(10))));
        proxy.hold(Direction.TO_SERVER);
        assertThatThrownBy(() -> leases.acquire("g", Duration.ZERO)).isInstanceOf(BusyException.class);
        proxy.pass(); // both the request and what gives it up arrive now, on whatever connection is left
        soon().until(() -> raw.keys("t/").size() == 1); // keeps the request out for as long as it may come

        EtcdLeases other = open();
        soon().until(() -> {
            try {
                other.acquire("g", SHORT).close();
                return true;
            } catch (FenceException e) {
                return false;
            }
        });
        soon().until(() -> raw.keys("q/").isEmpty());
        leases.close(); // the tombstone hangs on its session
        soon().until(() -> raw.keys("t/").isEmpty());
    }
}
