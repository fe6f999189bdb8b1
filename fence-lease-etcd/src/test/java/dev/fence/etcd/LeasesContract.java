package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.Lease;
import dev.fence.LeaseLostException;
import dev.fence.LeaseSettings;
import dev.fence.LeaseState;
import dev.fence.LeaseTimeoutException;
import dev.fence.Leases;
import dev.fence.LossReason;
import dev.fence.ReleaseOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every lease service must do, told by behaviour alone. A module extends it and says how its leases are opened. */
abstract class LeasesContract {

    static final Duration LONG = Duration.ofSeconds(20);
    static final Duration SHORT = Duration.ofMillis(100);

    private final List<Leases> opened = new ArrayList<>();
    Leases leases;

    /** Another session of the same service and the same names. */
    abstract Leases openAnother();

    /** How many acquisitions, granted or waiting, the service has on record. */
    abstract int recordsAtService();

    final Leases another() {
        Leases another = openAnother();
        opened.add(another);
        return another;
    }

    @BeforeEach
    void openFirst() {
        leases = another();
    }

    @AfterEach
    void closeAll() {
        opened.forEach(Leases::close);
    }

    @Test
    void aFreeLeaseIsGrantedAtOnceAndGivenBackByClosing() throws Exception {
        try (Lease lease = leases.acquire("a", LONG)) {
            assertThat(lease.name()).isEqualTo("a");
            assertThat(lease.grant().source()).isEqualTo(leases.source());
            assertThat(lease.state()).isEqualTo(new LeaseState.Held());
            assertThat(lease.remaining()).isPositive();
            lease.confirm();
            assertThat(recordsAtService()).isEqualTo(1);
        }
        assertThat(recordsAtService()).isZero();
    }

    @Test
    void releasingSaysWhatCameOfItAndTwiceIsOnce() throws Exception {
        Lease lease = leases.acquire("a", LONG);

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(lease.state()).isInstanceOf(LeaseState.Lost.class);
        assertThatThrownBy(lease::confirm).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(lease::begin).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void waitersAreServedInTheOrderOfAskingAcrossSessions() throws Exception {
        Leases other = another();
        Lease first = leases.acquire("a", LONG);
        BlockingQueue<Integer> served = new LinkedBlockingQueue<>();
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            int turn = i;
            CompletableFuture<Lease> asked = acquiring(i % 2 == 0 ? other : leases, "a");
            waiting.add(asked.whenComplete((lease, failure) -> served.add(turn)));
            Awaitility.await().until(() -> recordsAtService() == 2 + turn);
        }

        first.close();
        for (int i = 0; i < 6; i++) {
            assertThat(served.poll(10, TimeUnit.SECONDS)).isEqualTo(i);
            assertThat(served).isEmpty();
            waiting.get(i).get().close();
        }
    }

    @Test
    void aWaiterInTheMiddleMayLeave() throws Exception {
        Leases other = another();
        Lease first = leases.acquire("a", LONG);
        assertThatThrownBy(() -> other.acquire("a", SHORT)).isInstanceOf(LeaseTimeoutException.class);
        CompletableFuture<Lease> inTheMiddle = other.acquireAsync("a", LONG, LeaseSettings.DEFAULTS);
        Awaitility.await().until(() -> recordsAtService() == 2);
        CompletableFuture<Lease> last = acquiring(leases, "a");
        Awaitility.await().until(() -> recordsAtService() == 3);

        assertThat(inTheMiddle.cancel(true)).isTrue();
        Awaitility.await().until(() -> recordsAtService() == 2);
        assertThat(last).isNotDone();
        first.close();
        last.get(10, TimeUnit.SECONDS).close();
    }

    @Test
    void tokensRiseOverAllNamesAndSessions() throws Exception {
        Leases other = another();
        long newest = 0;
        for (int i = 0; i < 20; i++) {
            try (Lease lease = (i % 2 == 0 ? leases : other).acquire("name " + i % 3, LONG)) {
                assertThat(lease.token().value()).isGreaterThan(newest);
                newest = lease.token().value();
            }
        }
    }

    @Test
    void atMostOneHolderAtATimeAndEachWithAHigherToken() throws Exception {
        List<Leases> sessions = List.of(leases, another(), another());
        AtomicInteger inside = new AtomicInteger();
        AtomicLong newest = new AtomicLong();
        Executor threads = task -> new Thread(task, "contract-worker").start();
        List<CompletableFuture<Integer>> workers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Leases mine = sessions.get(i % 3);
            workers.add(CompletableFuture.supplyAsync(
                    () -> {
                        int granted = 0;
                        for (int turn = 0; turn < 25; turn++) {
                            try (Lease lease = mine.acquire("a", turn % 5 == 0 ? Duration.ofMillis(3) : LONG)) {
                                assertThat(inside.incrementAndGet()).isEqualTo(1);
                                assertThat(newest.getAndSet(lease.token().value()))
                                        .isLessThan(lease.token().value());
                                inside.decrementAndGet();
                                granted++;
                            } catch (LeaseTimeoutException e) {
                                assertThat(turn % 5).isZero();
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                        }
                        return granted;
                    },
                    threads));
        }
        for (CompletableFuture<Integer> worker : workers) {
            assertThat(worker.get(60, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(20);
        }
        assertThat(recordsAtService()).isZero();
    }

    @Test
    void aTimeOutNamesTheHolderAndLeavesNothing() throws Exception {
        Leases other = another();
        try (Lease held = leases.acquire("a", LONG)) {
            assertThatThrownBy(() -> other.acquire("a", SHORT))
                    .isInstanceOf(LeaseTimeoutException.class)
                    .hasMessageContaining(held.grant().holder().toString())
                    .hasMessageNotContaining("this very process");
            assertThatThrownBy(() -> other.acquire("a", Duration.ZERO)).isInstanceOf(LeaseTimeoutException.class);
            assertThat(recordsAtService()).isEqualTo(1);
        }
    }

    @Test
    void tryingWaitsForNobodyAndLeavesNothing() throws Exception {
        Leases other = another();
        try (Lease held = leases.acquire("a", LONG)) {
            assertThat(other.tryAcquire("a")).isEmpty();
            assertThat(leases.tryAcquire("a")).isEmpty();
            assertThat(recordsAtService()).isEqualTo(1);
            assertThat(held.state()).isEqualTo(new LeaseState.Held());
        }
        Optional<Lease> free = other.tryAcquire("a");
        assertThat(free).isPresent();
        free.get().close();
        assertThat(recordsAtService()).isZero();
    }

    @Test
    void anInterruptedWaiterLeavesNothing() throws Exception {
        try (Lease held = leases.acquire("a", LONG)) {
            BlockingQueue<Throwable> ended = new LinkedBlockingQueue<>();
            Thread waiter = new Thread(() -> {
                try {
                    leases.acquire("a", LONG).close();
                } catch (InterruptedException | RuntimeException e) {
                    ended.add(e);
                }
            });
            waiter.start();
            Awaitility.await().until(() -> recordsAtService() == 2);

            waiter.interrupt();
            assertThat(ended.poll(5, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
            assertThat(recordsAtService()).isEqualTo(1);
            assertThat(held.state()).isEqualTo(new LeaseState.Held());
        }
    }

    @Test
    void aLeaseThatIsHeldForTooLongEndsAndFreesTheNext() throws Exception {
        BlockingQueue<LossReason> told = new LinkedBlockingQueue<>();
        Lease held = leases.acquire("a", LONG, LeaseSettings.DEFAULTS.withMaxHold(Duration.ofMillis(300)));
        held.onLoss(told::add);

        try (Lease next = another().acquire("a", LONG)) {
            assertThat(next.token().isNewerThan(held.token())).isTrue();
        }
        assertThat(told.poll(5, TimeUnit.SECONDS).kind()).isEqualTo(LossReason.Kind.MAX_HOLD);
        held.close();
        assertThat(told).isEmpty();
    }

    @Test
    void workInFlightDelaysTheRelease() throws Exception {
        Leases other = another();
        Lease lease = leases.acquire("a", LONG);
        Lease.Work work = lease.begin();
        CompletableFuture<ReleaseOutcome> release = CompletableFuture.supplyAsync(lease::release);

        assertThatThrownBy(() -> other.acquire("a", Duration.ofMillis(500))).isInstanceOf(LeaseTimeoutException.class);
        assertThat(release).isNotDone();
        work.close();
        assertThat(release.get(5, TimeUnit.SECONDS)).isEqualTo(ReleaseOutcome.RELEASED);
        other.acquire("a", LONG).close();
    }

    @Test
    void anInterruptDoesNotCutTheReleaseShort() throws Exception {
        Lease lease = leases.acquire("a", LONG);
        Thread.currentThread().interrupt();
        ReleaseOutcome outcome = lease.release();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(outcome).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(recordsAtService()).isZero();
    }

    @Test
    void closingEndsHoldersAndWaitersAndLeavesNothing() throws Exception {
        Leases other = another();
        Lease held = leases.acquire("a", LONG);
        Lease elsewhere = other.acquire("b", LONG);
        CompletableFuture<Lease> waiting = acquiring(leases, "b");
        Awaitility.await().until(() -> recordsAtService() == 3);

        leases.close();
        assertThat(held.state())
                .isInstanceOfSatisfying(
                        LeaseState.Lost.class,
                        lost -> assertThat(lost.reason().kind()).isEqualTo(LossReason.Kind.CLOSED));
        assertThatThrownBy(() -> waiting.get(5, TimeUnit.SECONDS)).hasCauseInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> leases.acquire("c", LONG)).isInstanceOf(LeaseLostException.class);
        assertThat(recordsAtService()).isEqualTo(1);
        leases.close();
        elsewhere.close();
    }

    @Test
    void impossibleArgumentsAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> leases.acquire("", LONG));
        assertThatIllegalArgumentException().isThrownBy(() -> leases.acquire("a", Duration.ofNanos(-1)));
        assertThatIllegalArgumentException().isThrownBy(() -> leases.acquire("a", Duration.ofDays(366)));
        assertThatIllegalArgumentException().isThrownBy(() -> leases.tryAcquire("a\n"));
        assertThat(recordsAtService()).isZero();
    }

    static CompletableFuture<Lease> acquiring(Leases from, String name) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return from.acquire(name, LONG);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    static Lease soon(CompletableFuture<Lease> asked)
            throws ExecutionException, InterruptedException, TimeoutException {
        return asked.get(10, TimeUnit.SECONDS);
    }
}
