package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.Lease;
import dev.fence.LeaseState;
import dev.fence.LossReason;
import dev.fence.SessionTiming;
import dev.fence.fixtures.EtcdServer;
import dev.fence.fixtures.TcpProxy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;

/** A namespace of its own at the shared etcd; what a test has opened is closed after it, the last first. */
abstract class EtcdCase {

    static final Duration LONG = Duration.ofSeconds(20);
    static final Duration SHORT = Duration.ofMillis(100);
    /** For what waits for heartbeats, answered or not: there is one every 2 s, and a stall of 3 s ends no session. */
    static final Duration BRISK = Duration.ofSeconds(6);

    final EtcdServer etcd;
    final String namespace = "test-" + UUID.randomUUID();
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    final RawEtcd raw;

    EtcdCase() {
        this(EtcdServer.shared());
    }

    /** With a server that the test may disturb. */
    EtcdCase(EtcdServer etcd) {
        this.etcd = etcd;
        this.raw = closedAfterwards(new RawEtcd(etcd.endpoint(), namespace));
        assertThat(raw.keys("")).isEmpty();
    }

    /** With a time to live that no stall of a busy machine uses up. */
    final EtcdSettings settings(String endpoint, String... more) {
        return EtcdSettings.of(endpoint, more)
                .withNamespace(namespace)
                .withTiming(SessionTiming.ofTtl(Duration.ofSeconds(15)));
    }

    final EtcdSettings brisk(String endpoint, String... more) {
        return settings(endpoint, more).withTiming(SessionTiming.ofTtl(BRISK));
    }

    final EtcdLeases open() {
        return open(settings(etcd.endpoint()));
    }

    final EtcdLeases open(EtcdSettings settings) {
        return closedAfterwards(EtcdLeases.open(settings));
    }

    /** For who counts requests: neither a heartbeat nor a repeated call is among them for a while. */
    final EtcdLeases openCalm() {
        return open(settings(etcd.endpoint()).withTiming(SessionTiming.ofTtl(Duration.ofSeconds(60))));
    }

    final TcpProxy proxy() {
        URI target = URI.create(etcd.endpoint());
        return closedAfterwards(TcpProxy.to(target.getHost(), target.getPort()));
    }

    /** A port where nobody listens, nor comes to while this is open. */
    static Socket deaf() throws IOException {
        Socket bound = new Socket();
        bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return bound;
    }

    static String through(TcpProxy proxy) {
        return "http://" + proxy.host() + ":" + proxy.port();
    }

    final <T extends AutoCloseable> T closedAfterwards(T resource) {
        opened.push(resource);
        return resource;
    }

    final String onlyKey() {
        return raw.keys("q/").get(0);
    }

    static ConditionFactory soon() {
        return Awaitility.await().pollInterval(Duration.ofMillis(10)).atMost(Duration.ofSeconds(10));
    }

    /** Until etcd gets no further request. */
    void awaitQuiet() {
        AtomicLong last = new AtomicLong(-1);
        soon().pollInterval(Duration.ofMillis(300)).until(() -> {
            long calls = ServerCounts.of(etcd.endpoint()).calls("etcdserverpb.KV");
            return last.getAndSet(calls) == calls;
        });
    }

    /** Until a heartbeat was answered: nothing else adds to what is left. */
    static void awaitHeartbeat(Lease lease) {
        AtomicReference<Duration> last = new AtomicReference<>(lease.remaining());
        soon().until(() -> {
            Duration left = lease.remaining();
            return left.compareTo(last.getAndSet(left)) > 0;
        });
    }

    /** By the clock of this process. Whether it blames a pause depends on how busy the machine was. */
    static boolean isOverdue(LossReason.Kind kind) {
        return kind == LossReason.Kind.EXPIRED || kind == LossReason.Kind.PAUSED;
    }

    static void awaitLoss(Lease lease, LossReason.Kind kind, Duration within) {
        soon().atMost(within)
                .until(() -> lease.state() instanceof LeaseState.Lost lost
                        && lost.reason().kind() == kind);
    }

    static boolean isHeld(Lease lease) {
        return lease.state() instanceof LeaseState.Held;
    }

    static boolean isUncertain(Lease lease) {
        return lease.state() instanceof LeaseState.Uncertain;
    }

    @AfterEach
    void closeAll() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }
}
