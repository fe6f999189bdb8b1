package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.Leases;
import dev.fence.fixtures.EtcdServer;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;

class EtcdContractIT extends LeasesContract {

    private final EtcdServer etcd = EtcdServer.shared();
    private final String namespace = "test-" + UUID.randomUUID();
    private final RawEtcd raw = new RawEtcd(etcd.endpoint(), namespace);

    EtcdContractIT() {
        assertThat(recordsAtService()).isZero();
    }

    @Override
    Leases openAnother() {
        return EtcdLeases.open(EtcdSettings.of(etcd.endpoint()).withNamespace(namespace));
    }

    @Override
    int recordsAtService() {
        return raw.stored("q/").size();
    }

    @AfterEach
    void closeRaw() {
        raw.close();
    }
}
