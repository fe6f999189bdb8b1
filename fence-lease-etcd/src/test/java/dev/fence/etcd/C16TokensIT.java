package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.FencingToken;
import dev.fence.Lease;
import dev.fence.UnsupportedStoreException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** C16: overflow and precision of tokens. */
@Isolated("counts the revisions of the shared server")
class C16TokensIT extends EtcdCase {

    private void putFloor(long floor) {
        raw.put(
                new Keys(namespace).floor().toStringUtf8(),
                QueueValue.floorToBytes(floor).toStringUtf8());
    }

    @Test
    void theLastTokensAreGivenThenAcquiringIsRefusedAndNothingWraps() throws Exception {
        EtcdLeases leases = open();
        putFloor(Long.MAX_VALUE - leases.tokenFloor().reached() - 12);
        List<Long> given = new ArrayList<>();
        assertThatThrownBy(() -> {
                    while (given.size() <= 12) {
                        try (Lease lease = leases.acquire("a", LONG)) {
                            given.add(lease.token().value());
                        }
                    }
                })
                .isInstanceOf(UnsupportedStoreException.class)
                .hasMessageContaining("token");
        assertThat(given).isNotEmpty().isSorted().doesNotHaveDuplicates();
        assertThat(given.get(0)).isGreaterThan(Long.MAX_VALUE - 13);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> leases.raiseTokenFloor(leases.tokenFloor(), new FencingToken(1)));
        soon().until(() -> raw.keys("q/").isEmpty());
    }

    @Test
    void tokensOfMoreThan53BitsComeBackDigitForDigit() throws Exception {
        long beyondDoubles = 9_007_199_254_740_993L;
        EtcdLeases leases = open();
        putFloor(beyondDoubles);
        try (Lease lease = leases.acquire("a", LONG)) {
            long revision = raw.stored("q/").get(0).getCreateRevision();
            assertThat(lease.token()).hasToString(Long.toString(beyondDoubles + revision));
            assertThat(leases.tokenFloor().floor()).isEqualTo(beyondDoubles);
        }
    }

    @Test
    void aTokenOfMoreDigitsInTextIsNewer() throws Exception {
        EtcdLeases leases = open();
        putFloor(1);
        Lease before = leases.acquire("a", LONG);
        before.close();
        long edge = Long.parseLong("9".repeat(before.token().toString().length() + 3));
        putFloor(edge - leases.tokenFloor().reached() + 1);
        long newest = before.token().value();
        for (int i = 0; i < 12; i++) {
            try (Lease lease = leases.acquire("a", LONG)) {
                assertThat(lease.token().value()).isGreaterThan(newest);
                newest = lease.token().value();
            }
        }
        assertThat(newest).isGreaterThan(edge);
    }
}
