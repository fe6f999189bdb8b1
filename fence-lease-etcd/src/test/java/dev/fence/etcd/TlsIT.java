package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.BusyException;
import dev.fence.Lease;
import dev.fence.fixtures.EtcdServer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** An etcd that speaks TLS alone and wants to see a certificate. */
@Execution(ExecutionMode.CONCURRENT)
class TlsIT {

    @TempDir
    private static Path folder;

    private static EtcdServer etcd;
    private static EtcdTls good;

    @BeforeAll
    static void start() throws Exception {
        Certificates certificates = new Certificates(folder.resolve("ours"));
        EtcdTls.Own server = certificates.signed("server");
        EtcdTls.Own client = certificates.signed("client");
        etcd = EtcdServer.startWithTls(server.certificate(), server.key(), certificates.authority());
        good = EtcdTls.DEFAULTS.withTrusted(certificates.authority()).withOwn(client.certificate(), client.key());
    }

    @AfterAll
    static void end() {
        etcd.close();
    }

    private static EtcdLeases open(EtcdTls tls) {
        return EtcdLeases.open(EtcdSettings.of(etcd.endpoint()).withTls(tls));
    }

    @Test
    void leasesAreGrantedHandedOverAndGivenBack() throws Exception {
        try (EtcdLeases leases = open(good)) {
            Lease first = leases.acquire("a", EtcdCase.LONG);
            first.confirm();
            CompletableFuture<Lease> waiting = LeasesContract.acquiring(leases, "a");
            first.close();
            try (Lease second = waiting.get(10, TimeUnit.SECONDS)) {
                second.confirm();
                assertThat(second.token().isNewerThan(first.token())).isTrue();
            }
        }
    }

    @Test
    void anAuthorityThatIsNotTrustedIsNamedAsTheReason() {
        assertThatThrownBy(() -> open(new EtcdTls(Optional.empty(), good.own())))
                .isInstanceOf(BusyException.class)
                .hasMessageContaining(etcd.endpoint())
                .hasMessageContaining("certification path");
    }

    @Test
    void withoutACertificateNobodyIsLetIn() {
        assertThatThrownBy(() -> open(new EtcdTls(good.trusted(), Optional.empty())))
                .isInstanceOf(BusyException.class)
                .hasMessageContaining(etcd.endpoint());
    }

    @Test
    void askedInTheClearTheMessagePointsAtTheScheme() {
        assertThatThrownBy(() -> EtcdLeases.open(EtcdSettings.of(etcd.endpoint().replace("https", "http"))))
                .isInstanceOf(BusyException.class)
                .hasMessageContaining("http or https");
    }

    @Test
    void filesThatCannotBeReadAreRefusedByName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> open(good.withTrusted(folder.resolve("nothing.pem"))))
                .withMessageContaining("nothing.pem");
    }
}
