package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.LeaseTimeoutException;
import dev.fence.StaleTokenException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** C12: re-entry mints a new token and fences the outer scope. Here nesting is passing the lease on. */
class C12ReentryIT extends EtcdCase {

    private final MemoryFence fence = new MemoryFence();

    private void book(Lease lease, String what) {
        fence.seal(lease, "r").write(log -> log.add(what));
    }

    @Test
    void nestedCodeThatIsHandedTheLeaseWritesUnderTheSameToken() throws Exception {
        EtcdLeases leases = open();
        Lease outer = leases.acquire("o", LONG);
        Grant grant = outer.grant();
        fence.create(outer, "r");
        book(outer, "first");
        book(outer, "nested");
        outer.confirm();
        book(outer, "last");

        assertThat(outer.grant()).isEqualTo(grant); // heartbeats and confirmations change nothing
        assertThat(fence.written()).isEqualTo(List.of("first", "nested", "last"));
        outer.close();
        try (Lease next = leases.acquire("o", LONG)) {
            assertThat(next.token().isNewerThan(grant.token())).isTrue();
            book(next, "next");
            assertThatThrownBy(() -> fence.attach(grant, "r").write(log -> log.add("late")))
                    .isInstanceOf(StaleTokenException.class);
        }
    }

    @Test
    void askingAgainIsRefusedByTimeOutSaysWhyAndLeavesTheOuterAlone() throws Exception {
        EtcdLeases leases = open();
        try (Lease outer = leases.acquire("o", LONG)) {
            fence.create(outer, "r");
            book(outer, "before");
            assertThatThrownBy(() -> leases.acquire("o", SHORT))
                    .isInstanceOf(LeaseTimeoutException.class)
                    .hasMessageContaining("this very process");
            assertThat(leases.tryAcquire("o")).isEmpty();
            book(outer, "after");
            outer.confirm();
            assertThat(raw.keys("q/")).hasSize(1);
        }
        assertThat(raw.keys("q/")).isEmpty();
        assertThat(fence.written()).isEqualTo(List.of("before", "after"));
    }
}
