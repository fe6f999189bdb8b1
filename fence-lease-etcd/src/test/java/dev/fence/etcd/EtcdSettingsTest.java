package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
    void tlsAndUsersAreRefusedRatherThanIgnored() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EtcdSettings.of("https://etcd:2379"))
                .withMessageContaining("TLS");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EtcdSettings.of("http://root:secret@etcd:2379"))
                .withMessageContaining("user")
                .withMessageNotContaining("secret");
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
                        settings.events()));
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
