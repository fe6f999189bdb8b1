package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.Candidate;
import dev.fence.ElectionResource;
import dev.fence.ElectionSettings;
import dev.fence.FencedWriter;
import dev.fence.Grant;
import dev.fence.LeaderElection;
import dev.fence.Leadership;
import dev.fence.Lease;
import dev.fence.LeaseSettings;
import dev.fence.Leases;
import dev.fence.SessionTiming;
import dev.fence.StaleTokenException;
import dev.fence.fixtures.Direction;
import dev.fence.fixtures.InMemoryLeaseService;
import dev.fence.fixtures.TcpProxy;
import dev.fence.fixtures.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** C43: "you lead" too early, "you lost" never. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class C43LeadershipIT extends EtcdCase {

    private static final String NAME = "scheduler";

    private final MemoryFence fence = new MemoryFence();
    private final ElectionResource<List<String>> jobs = new ElectionResource<>(fence, "jobs");
    private final ElectionSettings settings = ElectionSettings.DEFAULTS.withResources(jobs);
    private final RecordingCandidate a = new RecordingCandidate();
    private final RecordingCandidate b = new RecordingCandidate();

    private LeaderElection campaign(Leases leases, ElectionSettings settings, Candidate candidate) {
        return closedAfterwards(LeaderElection.run(leases, NAME, settings, candidate));
    }

    private EtcdLeases withGuard(EtcdLeases leases) throws InterruptedException {
        try (Lease first = leases.acquire(NAME, LONG)) {
            fence.create(first, jobs.name());
        }
        return leases;
    }

    private void revokeLeader() {
        raw.revokeSessionOf(raw.stored("q/").get(0));
    }

    private void awaitInQueue(int count) {
        soon().until(() -> raw.keys("q/").size() == count);
    }

    @Test
    void nobodyIsElectedBeforeTheResourcesAreSealed() throws Exception {
        EtcdLeases leases = withGuard(open());
        CountDownLatch sealing = new CountDownLatch(1);
        CountDownLatch maySeal = new CountDownLatch(1);
        fence.beforeSeal = () -> {
            sealing.countDown();
            assertThat(awaited(maySeal)).isTrue();
        };
        LeaderElection election = campaign(leases, settings, a);
        assertThat(awaited(sealing)).isTrue();
        assertThat(raw.keys("q/")).hasSize(1); // granted
        assertThat(a.all()).isEmpty();
        assertThat(election.leaderNow()).isEmpty();

        maySeal.countDown();
        long epoch = a.next("elected");
        assertThat(fence.guard("jobs").orElseThrow().token().value()).isEqualTo(epoch);
        assertThat(election.leaderNow()).map(now -> now.epoch().value()).contains(epoch);
    }

    /** Another holder in the key is what no watch tells: only asking does. */
    @Test
    void aLeaseThatIsNotOursAfterTheSealIsNoTerm() throws Exception {
        EtcdLeases leases = withGuard(open());
        QueueValue another = new QueueValue(0, Grant.newHolder(), "another");
        fence.beforeSeal = () -> {
            fence.beforeSeal = () -> {};
            raw.put(onlyKey(), another.toBytes().toStringUtf8());
        };
        campaign(leases, settings, a);
        long epoch = a.next("elected");
        assertThat(a.failures).hasSize(1);
        assertThat(a.all()).hasSize(1);
        assertThat(fence.guard("jobs").orElseThrow().token().value()).isEqualTo(epoch);
    }

    @Test
    void aMissingGuardIsReportedAndNobodyIsElectedUntilItIsThere() throws Exception {
        EtcdLeases leases = open();
        campaign(leases, settings, a);
        soon().until(() -> !a.failures.isEmpty());
        withGuard(leases);
        a.next("elected");
        assertThat(a.all()).hasSize(1);
    }

    /** Such as a driver's class that is missing: the heartbeat would keep the lease, and nobody would ever lead. */
    @Test
    void whoMeetsAnErrorBeforeItsTermGivesTheLeaseBackAndCampaignsOn() throws Exception {
        EtcdLeases leases = withGuard(open());
        fence.beforeSeal = () -> {
            fence.beforeSeal = () -> {};
            throw new NoClassDefFoundError("org/example/Driver");
        };
        campaign(leases, settings, a);
        a.next("elected");
        assertThat(a.failures)
                .singleElement()
                .satisfies(why -> assertThat(why).hasRootCauseInstanceOf(NoClassDefFoundError.class));
        awaitInQueue(1);
    }

    @Test
    void eachTermEndsOnceEpochsRiseAndAFormerLeaderIsRefused() throws Exception {
        EtcdLeases first = withGuard(open());
        LeaderElection electionOfA = campaign(first, settings, a);
        CountDownLatch mayGo = new CountDownLatch(1);
        FencedWriter<?>[] writerOfA = new FencedWriter<?>[1];
        Leadership[] termOfA = new Leadership[1];
        a.whenDemoted = ended -> {
            termOfA[0] = ended;
            assertThat(awaited(mayGo)).isTrue();
        };
        long one = a.next("elected");
        writerOfA[0] = electionOfA.leaderNow().orElseThrow().writer(jobs);
        LeaderElection electionOfB = campaign(open(), settings, b);
        awaitInQueue(2);

        revokeLeader();
        assertThat(a.next("demoted REVOKED")).isEqualTo(one);
        assertThat(electionOfA.leaderNow()).isEmpty();
        long two = b.next("elected");
        electionOfB.leaderNow().orElseThrow().writer(jobs).write(log -> log.add("by b"));
        assertThatThrownBy(() -> fence.attach(writerOfA[0].grant(), "jobs").write(log -> log.add("late, by a")))
                .isInstanceOf(StaleTokenException.class);
        mayGo.countDown();
        a.next("stopped");
        awaitInQueue(2);

        electionOfB.close();
        assertThat(b.next("demoted CLOSED")).isEqualTo(two);
        long three = a.next("elected");
        electionOfA.close();
        assertThat(a.next("demoted CLOSED")).isEqualTo(three);
        assertThat(List.of(one, two, three)).isSorted().doesNotHaveDuplicates();
        assertThat(termOfA[0].epoch().value()).isEqualTo(three);
        assertThat(fence.written()).containsExactly("by b");
        assertThat(a.all()).hasSize(6);
        assertThat(b.all()).hasSize(3);
        assertThat(a.overlapped || b.overlapped).isFalse();
    }

    @Test
    void aLeaderThatIsCutOffStepsDownByItsOwnClockBeforeAnotherLeads() throws Exception {
        TcpProxy proxy = proxy();
        LeaderElection cut = campaign(withGuard(open(brisk(through(proxy)))), settings, a);
        long first = a.next("elected");
        campaign(open(), settings, b);
        awaitInQueue(2);
        CompletableFuture<Boolean> stillLed = new CompletableFuture<>();
        b.whenElected = leadership -> stillLed.complete(cut.leaderNow().isPresent());

        proxy.hold(Direction.TO_SERVER);
        proxy.hold(Direction.TO_CLIENT);
        assertThat(a.nextOf("demoted EXPIRED", "demoted PAUSED")).isEqualTo(first); // told while cut off
        long second = b.next("elected");
        assertThat(stillLed.get(10, TimeUnit.SECONDS)).isFalse();
        assertThat(second).isGreaterThan(first);
        proxy.pass();
    }

    @Test
    void theNextTermWaitsForTheDemotionAndOthersLeadMeanwhile() throws Exception {
        // Without the grace time, for which giving the lease back waits too.
        ElectionSettings graceless = settings.withLease(LeaseSettings.DEFAULTS.withGrace(Duration.ZERO));
        campaign(withGuard(open()), graceless, a);
        CountDownLatch mayReturn = new CountDownLatch(1);
        a.whenDemoted = ended -> assertThat(awaited(mayReturn)).isTrue();
        a.next("elected");
        revokeLeader();
        a.next("demoted REVOKED");

        LeaderElection electionOfB = campaign(open(), settings, b);
        b.next("elected");
        assertThat(raw.keys("q/")).hasSize(1); // a does not even stand in the queue
        electionOfB.close();
        assertThat(raw.keys("q/")).isEmpty();
        assertThat(a.all()).hasSize(2);
        mayReturn.countDown();
        a.next("stopped");
        a.next("elected");
    }

    @Test
    void aDemotionThatTakesTooLongHoldsUpTheNextTermNoLongerThanStated() throws Exception {
        ElectionSettings hasty = settings.withLongestDemotion(Duration.ofMillis(300))
                .withLease(LeaseSettings.DEFAULTS.withGrace(Duration.ofMillis(50)));
        campaign(withGuard(open()), hasty, a);
        CountDownLatch mayReturn = new CountDownLatch(1);
        a.whenDemoted = ended -> assertThat(awaited(mayReturn)).isTrue();
        long first = a.next("elected");
        revokeLeader();
        a.next("demoted REVOKED");
        assertThat(a.next("elected")).isGreaterThan(first);
        mayReturn.countDown();
        assertThat(a.next("stopped")).isEqualTo(first);
    }

    @Test
    void whoIsAskedAfterTheDeadlineSaysNoThoughNothingHasRun() throws Exception {
        VirtualTime time = new VirtualTime();
        SessionTiming timing = SessionTiming.DEFAULTS;
        Leases leases = closedAfterwards(new InMemoryLeaseService("memory", time, timing).connect());
        LeaderElection election = campaign(leases, ElectionSettings.DEFAULTS, a);
        a.next("elected");
        Leadership term = election.leaderNow().orElseThrow();
        time.advance(timing.ttl());
        assertThat(election.leaderNow()).isEmpty();
        assertThat(term.isOver()).isTrue();
        a.next("demoted PAUSED");
    }

    @Test
    void whoNeverLedIsNeverDemoted() throws Exception {
        EtcdLeases leases = withGuard(open());
        campaign(leases, settings, a);
        a.next("elected");
        LeaderElection second = campaign(open(), settings, b);
        awaitInQueue(2);
        second.close();
        assertThat(raw.keys("q/")).hasSize(1);
        assertThat(b.all()).isEmpty();
        assertThat(b.failures).isEmpty();
    }

    @Test
    void impossibleArgumentsAreRefused() {
        EtcdLeases leases = open();
        assertThatIllegalArgumentException().isThrownBy(() -> LeaderElection.run(leases, "", settings, a));
        assertThatIllegalArgumentException().isThrownBy(() -> new ElectionResource<>(fence, "a\n"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ElectionSettings.DEFAULTS.withLongestDemotion(Duration.ofHours(2)))
                .withMessageContaining("longestDemotion");
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            return latch.await(15, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
