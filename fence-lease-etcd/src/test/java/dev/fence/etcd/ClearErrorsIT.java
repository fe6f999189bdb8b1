package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.fence.BusyException;
import dev.fence.fixtures.EtcdCluster;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What is wrong is in the message. */
@Execution(ExecutionMode.CONCURRENT)
class ClearErrorsIT {

    private static void failsWith(String endpoint, String... words) {
        assertThatThrownBy(() -> EtcdLeases.open(EtcdSettings.of(endpoint)))
                .isInstanceOf(BusyException.class)
                .hasMessageContaining(endpoint)
                .hasMessageContainingAll(words);
    }

    @Test
    void nobodyListens() throws Exception {
        try (Socket deaf = EtcdCase.deaf()) {
            failsWith("http://127.0.0.1:" + deaf.getLocalPort(), "Connection refused", "client URL");
        }
    }

    @Test
    void somethingElseListens() throws Exception {
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.start();
        try {
            failsWith("http://127.0.0.1:" + other.getAddress().getPort(), "etcd");
        } finally {
            other.stop(0);
        }
    }

    @Test
    void aMajorityIsDown() {
        try (EtcdCluster etcd = EtcdCluster.start(3)) {
            etcd.members().get(1).kill();
            etcd.members().get(2).kill();
            failsWith(etcd.members().get(0).endpoint(), "majority of its members");
        }
    }
}
