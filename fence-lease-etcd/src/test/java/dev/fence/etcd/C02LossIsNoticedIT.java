package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.BusyException;
import dev.fence.Lease;
import dev.fence.LeaseLostException;
import dev.fence.LeaseState;
import dev.fence.LossReason;
import dev.fence.ReleaseOutcome;
import dev.fence.SessionTiming;
import dev.fence.fixtures.Direction;
import dev.fence.fixtures.TcpProxy;
import io.etcd.jetcd.api.KeyValue;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C02: the loss is not noticed. */
class C02LossIsNoticedIT extends EtcdCase {

    private final Queue<LossReason> told = new ConcurrentLinkedQueue<>();

    /** Before the first heartbeat, which would notice too. */
    private static final Duration PROMPTLY = Duration.ofSeconds(10);

    private Lease listened(EtcdLeases leases) throws InterruptedException {
        Lease lease = leases.acquire("a", LONG);
        lease.onLoss(told::add);
        return lease;
    }

    @Test
    void aRevokedSessionIsLostWithoutAHeartbeatAndToldOnce() throws Exception {
        EtcdLeases leases = openCalm();
        Lease lease = listened(leases);

        raw.revokeSession();
        awaitLoss(lease, LossReason.Kind.REVOKED, PROMPTLY);
        assertThatThrownBy(lease::begin).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(lease::confirm).isInstanceOf(LeaseLostException.class);
        Lease again = leases.acquire("a", LONG);
        assertThat(again.token().isNewerThan(lease.token())).isTrue();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.NOT_OWNER);
        again.confirm();
        soon().until(() -> !told.isEmpty());
        assertThat(told).hasSize(1);
    }

    @Test
    void aLeaseWhoseKeyWasDeletedIsLostAndItsSessionLivesOn() throws Exception {
        EtcdLeases leases = openCalm();
        Lease other = leases.acquire("other", LONG);
        String untouched = onlyKey();
        Lease lease = listened(leases);

        raw.delete(raw.keys("q/").stream()
                .filter(key -> !key.equals(untouched))
                .findFirst()
                .orElseThrow());
        awaitLoss(lease, LossReason.Kind.REMOVED, PROMPTLY);
        other.confirm();
        assertThat(isHeld(other)).isTrue();
        soon().until(() -> !told.isEmpty());
        assertThat(told).hasSize(1);
    }

    @Test
    void aDeletedSessionKeyIsTakenForTheEndOfTheSession() throws Exception {
        Lease lease = listened(openCalm());
        raw.delete(raw.keys("s/").get(0));
        awaitLoss(lease, LossReason.Kind.REVOKED, PROMPTLY);
    }

    @Test
    void aCutIsDoubtUntilTheServiceIsBack() throws Exception {
        TcpProxy proxy = proxy();
        SessionTiming timing =
                SessionTiming.ofTtl(Duration.ofSeconds(10)); // a heartbeat is missed half way to the loss
        Lease lease = listened(open(settings(through(proxy)).withTiming(timing)));

        proxy.hold(Direction.TO_CLIENT);
        proxy.hold(Direction.TO_SERVER);
        soon().until(() -> isUncertain(lease));
        proxy.pass();
        soon().until(() -> isHeld(lease));
        lease.confirm();
        assertThat(told).isEmpty();

        // and the watch is whole again
        raw.delete(onlyKey());
        awaitLoss(lease, LossReason.Kind.REMOVED, PROMPTLY);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aKeyThatWasDeletedDuringACutIsLostAlsoWhereItWasMadeAnew(boolean madeAnew) throws Exception {
        TcpProxy proxy = proxy();
        Lease lease = listened(open(settings(through(proxy))));
        proxy.refuse();
        proxy.cut();
        soon().until(() -> isUncertain(lease));

        KeyValue own = raw.stored("q/").get(0);
        raw.delete(own.getKey().toStringUtf8());
        if (madeAnew) {
            raw.put(own.getKey().toStringUtf8(), own.getValue().toStringUtf8());
        }
        proxy.pass();
        awaitLoss(lease, LossReason.Kind.REMOVED, Duration.ofSeconds(5));
    }

    @Test
    void aLeaseThatIsAcquiredWhenOthersAreWatchedIsWatchedToo() throws Exception {
        EtcdLeases leases = open();
        raw.keys(""); // and with it the watch of the session's key has come
        long watched = ServerCounts.of(etcd.endpoint()).messages("\"Watch\"");
        Lease first = leases.acquire("first", LONG);
        soon().until(() -> ServerCounts.of(etcd.endpoint()).messages("\"Watch\"") > watched);
        String keyOfFirst = onlyKey();
        Lease second = listened(leases);

        raw.delete(raw.keys("q/").stream()
                .filter(key -> !key.equals(keyOfFirst))
                .findFirst()
                .orElseThrow());
        awaitLoss(second, LossReason.Kind.REMOVED, Duration.ofSeconds(1));
        assertThat(isHeld(first)).isTrue();
    }

    @Test
    void aLongCutIsLostByOurOwnClockBeforeTheServiceGivesItAway() throws Exception {
        TcpProxy proxy = proxy();
        // The margin is the time in which this test looks at the service.
        SessionTiming timing = SessionTiming.ofTtl(BRISK).withMargin(Duration.ofSeconds(2));
        Lease lease = listened(open(settings(through(proxy)).withTiming(timing)));

        proxy.hold(Direction.TO_CLIENT);
        proxy.hold(Direction.TO_SERVER);
        assertThatThrownBy(lease::confirm).isInstanceOf(BusyException.class);
        // Told without being asked: the timer does it.
        soon().until(() -> !told.isEmpty());
        assertThat(raw.keys("q/")).hasSize(1);
        assertThat(isOverdue(told.peek().kind())).as("%s", told).isTrue();
        proxy.pass();
        soon().until(() -> raw.keys("q/").isEmpty());
        assertThat(lease.state()).isInstanceOf(LeaseState.Lost.class);
        assertThat(told).hasSize(1);
    }

    @Test
    void endedStreamsAndResetConnectionsLoseNothing() throws Exception {
        TcpProxy proxy = proxy();
        Lease lease = listened(open(settings(through(proxy))));
        for (int i = 0; i < 5; i++) {
            proxy.cut();
            lease.confirm();
        }
        soon().until(() -> isHeld(lease)); // also if one that was due was cut
        raw.delete(onlyKey());
        awaitLoss(lease, LossReason.Kind.REMOVED, PROMPTLY);
    }
}
