package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.Lease;
import dev.fence.UnsupportedStoreException;
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
