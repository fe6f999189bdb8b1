package dev.fence.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.BusyException;
import dev.fence.FenceEvents;
import dev.fence.FenceException;
import dev.fence.FencingToken;
import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.LeaseLostException;
import dev.fence.LeaseSettings;
import dev.fence.StaleTokenException;
import dev.fence.TokenSourceException;
import dev.fence.UnsupportedStoreException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MandateTest {

    private static final Grant HIGHER = new Grant("etcd", "payouts/EU", new FencingToken(99), Grant.newHolder());
    private final StaleTokenException refusal =
            new StaleTokenException("ledger/EU", OneLeaseService.GRANT, HIGHER, null);

    private final OneLeaseService service = new OneLeaseService();
    private final Lease lease = ManagedLease.granted(
            OneLeaseService.GRANT, LeaseSettings.DEFAULTS, service.session, service, service.time, FenceEvents.NONE);

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void c14APresentHolderRefusedByAHigherGuardMeansThatTheSourceWentBackwards() {
        FenceException explained = Mandate.of(lease).explain(refusal);

        assertThat(explained)
                .isInstanceOfSatisfying(
                        TokenSourceException.class,
                        e -> assertThat(e.problem()).isEqualTo(TokenSourceException.Problem.SOURCE_WENT_BACKWARDS))
                .hasMessageContaining("41")
                .hasMessageContaining("99")
                .hasCause(refusal);
    }

    @Test
    void aFormerHolderRefusedByAHigherGuardIsStale() {
        service.record.set(null);

        assertThat(Mandate.of(lease).explain(refusal)).isSameAs(refusal);
        assertThat(refusal.getSuppressed()).hasAtLeastOneElementOfType(LeaseLostException.class);
    }

    @Test
    void withoutTheServicesWordARefusalStaysWhatItIs() {
        service.silent = true;

        assertThat(Mandate.of(lease).explain(refusal)).isSameAs(refusal);
        assertThat(refusal.getSuppressed()).hasAtLeastOneElementOfType(BusyException.class);
    }

    @Test
    void aServiceThatNoLongerLetsUsAskHidesNoRefusal() {
        service.refusal = new UnsupportedStoreException("no rights any more", null);

        assertThat(Mandate.of(lease).explain(refusal)).isSameAs(refusal);
        assertThat(refusal.getSuppressed()).containsExactly(service.refusal);
    }

    @Test
    void aHandedOverGrantCannotAskAndIsRefusedByTheResourceAlone() {
        Mandate mandate = Mandate.of(lease.grant());
        lease.close();

        mandate.begin().close();
        assertThat(mandate.remaining()).isEmpty();
        assertThat(mandate.explain(refusal)).isSameAs(refusal);
    }

    @Test
    void aLeaseIsAskedBeforeAnythingIsSent() {
        Mandate mandate = Mandate.of(lease);
        assertThat(mandate.remaining()).contains(Duration.ofSeconds(9));
        lease.close();

        assertThatThrownBy(mandate::begin).isInstanceOf(LeaseLostException.class);
    }
}
