package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.BusyException;
import dev.fence.FencingToken;
import dev.fence.Lease;
import dev.fence.UnsupportedStoreException;
import dev.fence.fixtures.Direction;
import dev.fence.fixtures.TcpProxy;
import org.junit.jupiter.api.Test;

/** A token is the floor in force when its key was put, and the key's create revision. */
class TokenFloorIT extends EtcdCase {

    private static final long STEP = 1L << 40;

    private void putFloor(long floor) {
        raw.put(floorKey(), QueueValue.floorToBytes(floor).toStringUtf8());
    }

    private String floorKey() {
        return namespace + "/v1/floor";
    }

    @Test
    void withoutAFloorItIsTheRevision() throws Exception {
        try (Lease lease = open().acquire("a", LONG)) {
            assertThat(lease.token().value()).isEqualTo(raw.stored("q/").get(0).getCreateRevision());
        }
    }

    @Test
    void aFloorThatWasRaisedMeanwhileIsNoticedByTheNextAcquire() throws Exception {
        EtcdLeases leases = open();
        Lease before = leases.acquire("before", LONG);
        putFloor(STEP);
        try (Lease after = leases.acquire("a", LONG)) {
            assertThat(after.token().value())
                    .isGreaterThan(STEP + before.token().value());
            assertThat(leases.tryAcquire("a")).isEmpty();
        }
        before.confirm();
        putFloor(2 * STEP);
        try (Lease tried = leases.tryAcquire("a").orElseThrow()) {
            assertThat(tried.token().value()).isGreaterThan(2 * STEP);
        }
        try (Lease other = open().acquire("a", LONG)) {
            assertThat(other.token().value()).isGreaterThan(2 * STEP);
        }
    }

    @Test
    void raisingLiftsEveryLaterTokenByAStepAndLeavesHoldersAlone() throws Exception {
        EtcdLeases leases = open();
        Lease before = leases.acquire("before", LONG);
        TokenFloor read = leases.tokenFloor();
        assertThat(read.floor()).isZero();
        assertThat(read.reached()).isGreaterThanOrEqualTo(before.token().value());

        FencingToken guard = new FencingToken(read.reached() + 5_000);
        assertThat(leases.raiseTokenFloor(read, guard)).isTrue();
        assertThat(leases.tokenFloor().floor()).isEqualTo(guard.value() + STEP);
        try (Lease after = open().acquire("a", LONG)) {
            assertThat(after.token().value()).isGreaterThan(guard.value() + STEP);
        }
        before.confirm();
        assertThat(before.token().value()).isLessThan(guard.value());
        assertThat(raw.stored("floor").get(0).getLease()).isZero(); // it outlives every session
    }

    @Test
    void ofTwoOperatorsWhoReadTheSameOneRaises() {
        EtcdLeases leases = open();
        TokenFloor read = leases.tokenFloor();
        assertThat(leases.raiseTokenFloor(read, new FencingToken(9_000_000))).isTrue();
        TokenFloor raised = leases.tokenFloor();

        assertThat(open().raiseTokenFloor(read, new FencingToken(8_000_000))).isFalse();
        assertThat(leases.tokenFloor().floor()).isEqualTo(raised.floor());
        assertThat(leases.raiseTokenFloor(raised, new FencingToken(8_000_000))).isTrue();
        assertThat(leases.tokenFloor().floor()).isGreaterThanOrEqualTo(raised.floor() + STEP);
    }

    @Test
    void aRaiseWhoseAnswerWasLostIsRepeatedWithoutRaisingTwice() {
        TcpProxy proxy = proxy();
        EtcdLeases leases = open(brisk(through(proxy)));
        TokenFloor read = leases.tokenFloor();
        FencingToken guard = new FencingToken(9_000_000);
        proxy.drop(Direction.TO_CLIENT);
        assertThatThrownBy(() -> leases.raiseTokenFloor(read, guard)).isInstanceOf(BusyException.class);
        soon().until(() -> raw.keys("floor").size() == 1); // it has taken effect
        proxy.pass();
        soon().ignoreExceptionsInstanceOf(BusyException.class).until(() -> leases.raiseTokenFloor(read, guard));
        assertThat(open().tokenFloor().floor()).isEqualTo(guard.value() + STEP);
    }

    @Test
    void aFloorThatFellIsRefused() throws Exception {
        putFloor(STEP);
        EtcdLeases leases = open();
        raw.delete(floorKey());
        assertThatThrownBy(() -> leases.acquire("a", LONG))
                .isInstanceOf(UnsupportedStoreException.class)
                .hasMessageContaining("fell");
        assertThat(raw.keys("q/")).isEmpty();
    }

    @Test
    void aFloorThatLeavesNoRoomIsRefusedAndLeavesNothing() throws Exception {
        putFloor(Long.MAX_VALUE);
        EtcdLeases leases = open();
        assertThatThrownBy(() -> leases.acquire("a", LONG))
                .isInstanceOf(UnsupportedStoreException.class)
                .hasMessageContaining(Long.toString(Long.MAX_VALUE));
        assertThatThrownBy(() -> leases.tryAcquire("a")).isInstanceOf(UnsupportedStoreException.class);
        soon().until(() -> raw.keys("q/").isEmpty());
    }

    @Test
    void aFloorThatCannotBeReadIsRefused() {
        raw.put(floorKey(), "fence9:1");
        assertThatThrownBy(this::open)
                .isInstanceOf(UnsupportedStoreException.class)
                .hasMessageContaining("fence9:1");
        assertThat(raw.keys("s/")).isEmpty();
    }
}
