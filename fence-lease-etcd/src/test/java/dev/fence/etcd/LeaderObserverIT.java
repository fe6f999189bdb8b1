package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.ElectionSettings;
import dev.fence.FencingToken;
import dev.fence.Grant;
import dev.fence.LeaderElection;
import dev.fence.LeaderObserver;
import dev.fence.Lease;
import dev.fence.UnsupportedStoreException;
import dev.fence.fixtures.Direction;
import dev.fence.fixtures.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Others learn who leads, and in which epoch. */
class LeaderObserverIT extends EtcdCase {

    private static final Duration EVERY = Duration.ofMillis(100);

    private final List<Optional<Grant>> told = new CopyOnWriteArrayList<>();

    private LeaderObserver observe(EtcdLeases leases) {
        return closedAfterwards(LeaderObserver.observe(leases, "boss", EVERY, told::add));
    }

    @Test
    void everyChangeOfTheLeaderIsToldWithItsEpoch() throws Exception {
        LeaderObserver observer = observe(open());
        RecordingCandidate first = new RecordingCandidate();
        LeaderElection election = LeaderElection.run(open(), "boss", ElectionSettings.DEFAULTS, first);
        long epoch = first.next("elected");
        soon().until(() -> observer.leaderNow()
                .filter(leader -> leader.token().equals(new FencingToken(epoch)))
                .isPresent());

        election.close();
        soon().until(() -> told.size() == 2); // no leader, as opposed to none that was heard of lately
        assertThat(observer.leaderNow()).isEmpty();
        RecordingCandidate second = new RecordingCandidate();
        try (LeaderElection next = LeaderElection.run(open(), "boss", ElectionSettings.DEFAULTS, second)) {
            long higher = second.next("elected");
            soon().until(() -> told.size() == 3);
            assertThat(next.leaderNow()).isPresent();
            assertThat(told.stream()
                            .map(leader -> leader.map(grant -> grant.token().value())))
                    .containsExactly(Optional.of(epoch), Optional.empty(), Optional.of(higher));
        }
    }

    @Test
    void anAnswerThatGrewOldIsNotGiven() throws Exception {
        TcpProxy proxy = proxy();
        LeaderObserver observer = observe(open(settings(through(proxy))));
        try (Lease lease = open().acquire("boss", LONG)) {
            soon().until(() -> observer.leaderNow().equals(Optional.of(lease.grant())));
            proxy.hold(Direction.TO_CLIENT);
            soon().until(() -> observer.leaderNow().isEmpty());
            assertThat(told).containsExactly(Optional.of(lease.grant())); // nothing was heard, so nothing is told
            proxy.pass();
            soon().until(() -> observer.leaderNow().equals(Optional.of(lease.grant())));
        }
    }

    @Test
    void theHolderIsTheOneThatWasGrantedAlsoUnderARaisedFloor() throws Exception {
        EtcdLeases leases = open();
        assertThat(leases.holder("boss")).isEmpty();
        assertThat(leases.raiseTokenFloor(leases.tokenFloor(), new FencingToken(1_000_000)))
                .isTrue();
        try (Lease lease = leases.acquire("boss", LONG)) {
            var waiting = LeasesContract.acquiring(open(), "boss");
            soon().until(() -> raw.keys("q/").size() == 2);
            assertThat(leases.holder("boss")).contains(lease.grant());
            lease.release();
            try (Lease next = waiting.get()) {
                assertThat(leases.holder("boss")).contains(next.grant());
            }
        }
    }

    @Test
    void aHolderThatCannotBeReadIsRefused() throws Exception {
        EtcdLeases leases = open();
        leases.acquire("boss", LONG);
        raw.put(onlyKey(), "fence9:who knows");
        assertThatThrownBy(() -> leases.holder("boss"))
                .isInstanceOf(UnsupportedStoreException.class)
                .hasMessageContaining("fence9");
    }

    @Test
    void anIntervalOutOfRangeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaderObserver.observe(open(), "boss", Duration.ofMillis(99), told::add))
                .withMessageContaining("every PT0.099S");
    }
}
