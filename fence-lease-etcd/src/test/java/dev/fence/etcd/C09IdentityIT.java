package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.LeaseLostException;
import dev.fence.LeaseTimeoutException;
import io.etcd.jetcd.api.KeyValue;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** C09: identity that is not unique. */
class C09IdentityIT extends EtcdCase {

    @Test
    void twoProcessesWithOneLabelExcludeEachOther() throws Exception {
        EtcdLeases one = open(settings(etcd.endpoint()).withLabel("n1"));
        EtcdLeases two = open(settings(etcd.endpoint()).withLabel("n1"));
        try (Lease lease = one.acquire("e", LONG)) {
            assertThatThrownBy(() -> two.acquire("e", SHORT))
                    .isInstanceOf(LeaseTimeoutException.class)
                    .hasMessageContaining("\"n1\"")
                    .hasMessageContaining(lease.grant().holder().toString())
                    .hasMessageNotContaining("this very process");
            assertThat(two.tryAcquire("e")).isEmpty();
        }
    }

    @Test
    void aSecondAcquireOfOneProcessWaitsAndSaysForWhom() throws Exception {
        EtcdLeases leases = open(settings(etcd.endpoint()).withLabel("n1"));
        try (Lease first = leases.acquire("x", LONG)) {
            assertThatThrownBy(() -> leases.acquire("x", Duration.ofMillis(500)))
                    .isInstanceOf(LeaseTimeoutException.class)
                    .hasMessageContaining("this very process");
            first.confirm();
        }
        try (Lease second = leases.acquire("x", LONG)) {
            second.confirm();
        }
    }

    @Test
    void aRestartWithTheSameLabelInheritsNothing() throws Exception {
        EtcdLeases before = open(settings(etcd.endpoint()).withLabel("n1"));
        Lease old = before.acquire("e", LONG);
        EtcdLeases after = open(settings(etcd.endpoint()).withLabel("n1"));

        assertThat(after.tryAcquire("e")).isEmpty();
        before.close();
        try (Lease anew = after.acquire("e", LONG)) {
            assertThat(anew.grant().holder()).isNotEqualTo(old.grant().holder());
            assertThat(anew.token().isNewerThan(old.token())).isTrue();
        }
    }

    /** Asked before the watch of the key is there, which would tell the same a little later. */
    @Test
    void aConfirmationIsOfThisVeryKey() throws Exception {
        EtcdLeases leases = open();
        Lease deleted = leases.acquire("deleted", LONG);
        raw.delete(onlyKey());
        assertThatThrownBy(deleted::confirm).isInstanceOf(LeaseLostException.class);

        Lease replaced = leases.acquire("replaced", LONG);
        KeyValue own = raw.stored("q/").get(0);
        raw.delete(onlyKey());
        raw.put(own.getKey().toStringUtf8(), own.getValue().toStringUtf8());
        assertThatThrownBy(replaced::confirm).isInstanceOf(LeaseLostException.class);
        raw.delete(onlyKey());

        Lease overwritten = leases.acquire("overwritten", LONG);
        String another = raw.stored("q/")
                .get(0)
                .getValue()
                .toStringUtf8()
                .replace(
                        overwritten.grant().holder().toString(),
                        Grant.newHolder().toString());
        raw.put(onlyKey(), another);
        assertThatThrownBy(overwritten::confirm).isInstanceOf(LeaseLostException.class);
    }
}
