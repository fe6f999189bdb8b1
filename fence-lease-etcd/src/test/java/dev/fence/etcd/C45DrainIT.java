package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.ElectionSettings;
import dev.fence.LeaderElection;
import dev.fence.Lease;
import dev.fence.LeaseSettings;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** C45: handing over while work is still draining. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class C45DrainIT extends EtcdCase {

    private static final String NAME = "scheduler";

    private final ElectionSettings settings = ElectionSettings.DEFAULTS;
    private final RecordingCandidate a = new RecordingCandidate();
    private final RecordingCandidate b = new RecordingCandidate();

    private LeaderElection campaign(EtcdLeases leases, ElectionSettings settings, RecordingCandidate candidate) {
        return closedAfterwards(LeaderElection.run(leases, NAME, settings, candidate));
    }

    private LeaderElection leadingA(ElectionSettings settings) throws InterruptedException {
        LeaderElection election = campaign(open(), settings, a);
        a.next("elected");
        campaign(open(), ElectionSettings.DEFAULTS, b);
        soon().until(() -> raw.keys("q/").size() == 2);
        return election;
    }

    private static CompletableFuture<Void> closing(LeaderElection election) {
        return CompletableFuture.runAsync(election::close);
    }

    private void staysForAWhile() {
        soon().during(Duration.ofMillis(200))
                .until(() -> raw.keys("q/").size() == 2 && b.all().isEmpty());
    }

    @Test
    void theLeaseIsGivenBackAfterTheDemotionReturnedAndTheWorkInFlightEnded() throws Exception {
        LeaderElection election = leadingA(settings.withLease(LeaseSettings.DEFAULTS.withGrace(Duration.ofMinutes(1))));
        CountDownLatch mayReturn = new CountDownLatch(1);
        a.whenDemoted =
                ended -> assertThat(mayReturn.await(15, TimeUnit.SECONDS)).isTrue();
        Lease.Work inFlight = election.leaderNow().orElseThrow().lease().begin();

        CompletableFuture<Void> closed = closing(election);
        a.next("demoted CLOSED"); // the signal comes first
        staysForAWhile();
        inFlight.close();
        staysForAWhile();
        mayReturn.countDown();
        a.next("stopped");
        b.next("elected");
        closed.get(10, TimeUnit.SECONDS);
        election.close();
        assertThat(a.all()).hasSize(3);
    }

    @Test
    void workThatOutlivesTheGraceKeepsTheLease() throws Exception {
        LeaderElection election = leadingA(settings.withLease(LeaseSettings.DEFAULTS.withGrace(Duration.ofMillis(50))));
        Lease.Work inFlight = election.leaderNow().orElseThrow().lease().begin();
        election.close();
        a.next("demoted CLOSED");
        staysForAWhile();
        inFlight.close();
        b.next("elected");
    }

    @Test
    void anElectionCallThatStillRunsIsInterruptedAndTheDemotionIsNot() throws Exception {
        AtomicReference<String> seen = new AtomicReference<>("");
        CountDownLatch never = new CountDownLatch(1);
        a.whenElected = leadership -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // as is good manners
            }
        };
        a.whenDemoted = ended -> seen.set(Thread.currentThread().isInterrupted() ? "interrupted" : "calm");
        LeaderElection election = leadingA(settings);
        closing(election).get(10, TimeUnit.SECONDS);
        a.next("demoted CLOSED");
        a.next("stopped");
        assertThat(seen).hasValue("calm");
        assertThat(a.overlapped).isFalse();
        b.next("elected");
    }

    @Test
    void anElectionCallThatFailsEndsTheTerm() throws Exception {
        a.whenElected = leadership -> {
            a.whenElected = again -> {};
            throw new IllegalStateException("not ready");
        };
        campaign(open(), settings, a);
        long first = a.next("elected");
        assertThat(a.next("demoted CLOSED")).isEqualTo(first);
        a.next("stopped");
        assertThat(a.next("elected")).isGreaterThan(first);
    }

    @Test
    void whoResignsGoesBehindThoseWhoWait() throws Exception {
        LeaderElection election = leadingA(settings);
        election.leaderNow().orElseThrow().resign();
        a.next("demoted CLOSED");
        a.next("stopped");
        b.next("elected");
        soon().until(() -> raw.keys("q/").size() == 2);
    }

    @Test
    void closingFromACallbackDoesNotWaitForItself() throws Exception {
        CompletableFuture<LeaderElection> known = new CompletableFuture<>();
        a.whenElected = leadership -> known.get(15, TimeUnit.SECONDS).close();
        LeaderElection election = campaign(open(), settings, a);
        known.complete(election);
        a.next("elected");
        a.next("demoted CLOSED");
        a.next("stopped");
        soon().until(() -> raw.keys("q/").isEmpty());
        election.close();
        assertThat(a.all()).hasSize(3);
    }

    @Test
    void nothingIsLeftAfterClosing() throws Exception {
        EtcdLeases leases = open();
        LeaderElection election = campaign(leases, settings, a);
        a.next("elected");
        election.close();
        assertThat(raw.keys("q/")).isEmpty();
        soon().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("fence-election-" + NAME)));
    }

    @Test
    void aClosedSourceOfLeasesEndsTheElection() throws Exception {
        EtcdLeases leases = open();
        campaign(leases, settings, a);
        a.next("elected");
        leases.close();
        a.next("demoted CLOSED");
        a.next("stopped");
        soon().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("fence-election-" + NAME)));
        assertThat(a.failures).isEmpty();
    }
}
