package dev.fence.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.FenceEvents;
import dev.fence.Lease;
import dev.fence.LeaseLostException;
import dev.fence.LeaseSettings;
import dev.fence.LeaseState;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@link Lease#run}: work that does not outlive its lease or its time, if it heeds interrupts. */
@Timeout(20)
class LeaseRunTest {

    private static final Duration LONG = Duration.ofSeconds(15);

    private final OneLeaseService service = new OneLeaseService();
    private final Lease lease = ManagedLease.granted(
            OneLeaseService.GRANT, LeaseSettings.DEFAULTS, service.session, service, service.time, FenceEvents.NONE);

    @AfterEach
    void end() {
        service.close();
    }

    @Test
    void theResultComesBackAndTheThreadIsLeftAlone() throws Exception {
        assertThat(lease.run(LONG, () -> 7)).isEqualTo(7);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void whatTheTaskThrowsComesBack() {
        IOException own = new IOException("own");
        assertThatThrownBy(() -> lease.run(LONG, () -> {
                    throw own;
                }))
                .isSameAs(own);
    }

    @Test
    void whatTakesTooLongIsInterruptedAndTheLeaseStays() {
        assertThatThrownBy(() -> lease.run(Duration.ofMillis(50), LeaseRunTest::sleep))
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining("PT0.05S");
        assertThat(Thread.interrupted()).isFalse();
        assertThat(lease.state()).isEqualTo(new LeaseState.Held());
    }

    @Test
    void whatOutlivesTheLeaseIsInterruptedWithTheReason() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Void> time = CompletableFuture.runAsync(() -> {
            await(begun);
            service.advance(Duration.ofSeconds(10));
        });
        assertThatThrownBy(() -> lease.run(LONG, () -> {
                    begun.countDown();
                    return sleep();
                }))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("PAUSED");
        time.get(10, TimeUnit.SECONDS);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void aResultInSpiteOfTheInterruptIsReturned() throws Exception {
        assertThat(lease.<String, RuntimeException>run(Duration.ofMillis(500), () -> {
                    try {
                        sleep();
                    } catch (InterruptedException e) {
                        return "done";
                    }
                    return "never";
                }))
                .isEqualTo("done");
    }

    @Test
    void underALostLeaseNothingRuns() {
        lease.close();
        assertThatThrownBy(() -> lease.run(LONG, () -> {
                    throw new AssertionError("ran");
                }))
                .isInstanceOf(LeaseLostException.class);
    }

    @Test
    void somebodyElsesInterruptStaysAnInterrupt() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> lease.run(LONG, LeaseRunTest::sleep)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void closingWaitsForTheTask() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Boolean> closed = CompletableFuture.supplyAsync(() -> {
            await(begun);
            lease.close();
            return true;
        });
        lease.<Boolean, RuntimeException>run(LONG, () -> {
            begun.countDown();
            try {
                sleep();
            } catch (InterruptedException e) {
                assertThat(service.releases).hasValue(0); // closing has ended the lease, and waits
            }
            return true;
        });
        assertThat(closed.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(service.releases).hasValue(1);
    }

    @Test
    void aTimeOutOfRangeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lease.run(Duration.ZERO, () -> 1))
                .withMessageContaining("longest PT0S");
    }

    private static int sleep() throws InterruptedException {
        TimeUnit.SECONDS.sleep(15);
        return 1;
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(10, TimeUnit.SECONDS)) {
                throw new IllegalStateException("did not begin");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
