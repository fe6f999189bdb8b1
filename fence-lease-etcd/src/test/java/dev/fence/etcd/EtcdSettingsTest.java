package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EtcdSettingsTest {

    @Test
    void theDefaultsNameThisProcess() {
        EtcdSettings settings = EtcdSettings.of("http://etcd-1:2379", "http://[::1]:2379/");
        assertThat(settings.endpoints()).hasSize(2);
        assertThat(settings.source()).isEqualTo("etcd");
        assertThat(settings.namespace()).isEqualTo("fence");
        assertThat(settings.timing().ttl()).hasSeconds(10);
        assertThat(settings.label()).endsWith(" " + ProcessHandle.current().pid());
    }

    @Test
    void aUserInAnEndpointIsRefusedWithoutRepeatingThePassword() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EtcdSettings.of("http://root:secret@etcd:2379"))
                .withMessageContaining("withUser")
                .withMessageNotContaining("secret");
        assertThat(EtcdSettings.of("http://etcd:2379").withUser("app", "secret").toString())
                .contains("app")
                .doesNotContain("secret");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EtcdSettings.of("http://etcd:2379").withUser("", "secret"));
    }

    @Test
    void allEndpointsAreSecureOrNone() {
        assertThat(EtcdSettings.of("https://a:2379", "HTTPS://b:2379").endpoints())
                .hasSize(2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EtcdSettings.of("https://a:2379", "http://b:2379"))
                .withMessageContaining("partly http");
    }

    @Test
    void certificatesForEndpointsInTheClearAreRefusedRatherThanIgnored() {
        EtcdTls tls = EtcdTls.DEFAULTS.withTrusted(Path.of("ca.pem"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EtcdSettings.of("http://a:2379").withTls(tls))
                .withMessageContaining("https is needed");
        assertThat(EtcdSettings.of("https://a:2379").withTls(tls).tls()).isEqualTo(tls);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "etcd:2379",
                "etcd",
                "http://etcd",
                "http://etcd:0",
                "http://etcd:65536",
                "ftp://etcd:2379",
                "http://etcd:2379/path",
                "http://etcd:2379?x=1",
                "http:// etcd:2379",
                "http://:2379",
                ""
            })
    void malformedEndpointsAreRefused(String endpoint) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EtcdSettings.of(endpoint))
                .withMessageContaining("http://host:port");
    }

    @Test
    void noEndpointAtAllIsRefused() {
        EtcdSettings settings = EtcdSettings.of("http://etcd:2379");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new EtcdSettings(
                        List.of(),
                        settings.source(),
                        settings.namespace(),
                        settings.timing(),
                        settings.label(),
                        settings.events(),
                        settings.tls(),
                        settings.user()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "a//b", "a/", "a b", "a/v1", "v2/a", "v1", "caf\u00e9"})
    void malformedNamespacesAreRefused(String namespace) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EtcdSettings.of("http://etcd:2379").withNamespace(namespace))
                .withMessageContaining("namespace");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fence", "/apps/team-a/fence", "a.b_c", "version1", "v"})
    void namespacesMayHaveSegments(String namespace) {
        assertThat(EtcdSettings.of("http://etcd:2379").withNamespace(namespace).namespace())
                .isEqualTo(namespace);
    }

    @Test
    void labelsAndSourcesHaveTheirRules() {
        EtcdSettings settings = EtcdSettings.of("http://etcd:2379");
        assertThatIllegalArgumentException().isThrownBy(() -> settings.withLabel("a\nb"));
        assertThatIllegalArgumentException().isThrownBy(() -> settings.withSource("Etcd Prod"));
        assertThat(settings.withLabel("pod: a/b").label()).isEqualTo("pod: a/b");
    }
}
