package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.Lease;
import dev.fence.LeaseLostException;
import dev.fence.LeaseTimeoutException;
import dev.fence.ReleaseOutcome;
import dev.fence.fixtures.Direction;
import dev.fence.fixtures.TcpProxy;
import io.etcd.jetcd.api.KeyValue;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** C08: a late release deletes the successor's lock. */
@Execution(ExecutionMode.CONCURRENT) // they mostly wait
class C08LateReleaseIT extends EtcdCase {

    @Test
    void theSuccessorsKeyStaysAsItIs() throws Exception {
        TcpProxy proxy = proxy();
        Lease late = open(brisk(through(proxy))).acquire("r", LONG);
        EtcdLeases others = open();
        proxy.hold(Direction.TO_SERVER);
        Lease successor = others.acquire("r", LONG);
        List<KeyValue> before = raw.stored("q/");

        proxy.pass();
        assertThat(late.release()).isEqualTo(ReleaseOutcome.NOT_OWNER);
        assertThat(late.release()).isEqualTo(ReleaseOutcome.NOT_OWNER);
        assertThat(raw.stored("q/")).isEqualTo(before);
        successor.confirm();
        assertThatThrownBy(() -> open().acquire("r", SHORT)).isInstanceOf(LeaseTimeoutException.class);
    }

    /** With the session the key went by itself: an attempt without an answer says nothing about who removed it. */
    @Test
    void aLeaseThatWentWithItsSessionWasNotReleasedByAnAttemptWithoutAnswer() throws Exception {
        TcpProxy proxy = proxy();
        Lease late = open(settings(through(proxy), etcd.endpoint())).acquire("r", LONG);
        proxy.hold(Direction.TO_CLIENT);
        raw.revokeSession();
        Lease successor = open().acquire("r", LONG);

        assertThat(late.release()).isEqualTo(ReleaseOutcome.NOT_OWNER);
        successor.confirm();
    }

    @Test
    void aKeyOfTheSameNameThatSomebodyElseCreatedStays() throws Exception {
        Lease lease = open().acquire("r", LONG);
        String key = onlyKey();
        raw.delete(key);
        raw.put(key, "somebody else's");
        List<KeyValue> before = raw.stored("q/");

        assertThatThrownBy(lease::confirm).isInstanceOf(LeaseLostException.class);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.NOT_OWNER);
        assertThat(raw.stored("q/")).isEqualTo(before);
        raw.delete(key);
    }

    @Test
    void whatTheBodyThrowsIsNotMaskedByAReleaseThatFails() throws Exception {
        TcpProxy proxy = proxy();
        EtcdLeases leases = open(brisk(through(proxy)));
        IllegalStateException ofTheBody = new IllegalStateException("body");
        assertThatThrownBy(() -> {
                    try (Lease lease = leases.acquire("r", LONG)) {
                        assertThat(isHeld(lease)).isTrue();
                        proxy.hold(Direction.TO_SERVER);
                        throw ofTheBody;
                    }
                })
                .isSameAs(ofTheBody);
        proxy.pass();
    }
}
