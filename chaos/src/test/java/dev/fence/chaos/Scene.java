package dev.fence.chaos;

import com.google.protobuf.ByteString;
import dev.fence.Lease;
import dev.fence.Leases;
import dev.fence.SessionTiming;
import dev.fence.etcd.EtcdLeases;
import dev.fence.etcd.EtcdSettings;
import dev.fence.fixtures.EtcdCluster;
import dev.fence.fixtures.TcpProxy;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.RangeRequest;
import io.grpc.ManagedChannel;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One namespace of a real etcd, the clients of one kind in it, and what they noted. */
final class Scene implements AutoCloseable {

    private final EtcdCluster etcd;
    private final PlantedLeases.@Nullable Flaw flaw;
    private final Duration ttl;
    private final String namespace = "scene-" + UUID.randomUUID();
    private final History history = new History();
    private final Deque<Runnable> opened = new ArrayDeque<>();

    /**
     * Begins one.
     *
     * @param flaw of the clients, or null for those of fence
     * @param ttl of their sessions
     */
    Scene(EtcdCluster etcd, PlantedLeases.@Nullable Flaw flaw, Duration ttl) {
        this.etcd = etcd;
        this.flaw = flaw;
        this.ttl = ttl;
        history.accept(Event.of(System.nanoTime(), "run", What.RUN, "ttlMillis=" + ttl.toMillis()));
    }

    Actor actor(String who) {
        return new Actor(who, history);
    }

    Leases leases(TcpProxy... ways) {
        List<String> endpoints = ways.length == 0
                ? etcd.endpoints()
                : List.of(ways).stream()
                        .map(way -> "http://" + way.host() + ":" + way.port())
                        .toList();
        Leases leases = flaw != null
                ? new PlantedLeases(flaw, endpoints, namespace, ttl)
                : EtcdLeases.open(EtcdSettings.of(
                                endpoints.get(0), endpoints.stream().skip(1).toArray(String[]::new))
                        .withNamespace(namespace)
                        .withTiming(SessionTiming.ofTtl(ttl)));
        opened.push(leases::close);
        return leases;
    }

    TcpProxy way() {
        URI target = URI.create(etcd.endpoints().get(0));
        TcpProxy proxy = TcpProxy.to(target.getHost(), target.getPort());
        opened.push(proxy::close);
        return proxy;
    }

    static CompletableFuture<Optional<Lease>> asking(Actor actor, Leases leases, String name, Duration wait) {
        CompletableFuture<Optional<Lease>> answer = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                answer.complete(actor.acquire(leases, name, wait));
            } catch (InterruptedException | RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return answer;
    }

    /** Asks the lease all the while. */
    static void claim(Actor actor, Lease lease, Duration time) throws InterruptedException {
        claim(actor, lease, time, new CompletableFuture<>());
    }

    /** Asks the lease until that is done, or the time is over. */
    static void claim(Actor actor, Lease lease, Duration longest, Future<?> until) throws InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        while (!until.isDone() && System.nanoTime() - end < 0 && actor.claims(lease)) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    /**
     * Waits until so many stand in the queue of some lease.
     *
     * @return whether they did before the time was over
     */
    boolean awaitQueued(int many, Duration longest) throws InterruptedException {
        ManagedChannel channel = PlantedLeases.connect(etcd.endpoints().get(0));
        try {
            long end = System.nanoTime() + longest.toNanos();
            while (queued(channel) < many) {
                if (System.nanoTime() - end > 0) {
                    return false;
                }
                TimeUnit.MILLISECONDS.sleep(10);
            }
            return true;
        } finally {
            channel.shutdownNow();
        }
    }

    private long queued(ManagedChannel channel) {
        String queues = namespace + (flaw == null ? "/v1/q" : "/q");
        return KVGrpc.newBlockingStub(channel)
                .withDeadlineAfter(5, TimeUnit.SECONDS)
                .range(RangeRequest.newBuilder()
                        .setKey(ByteString.copyFromUtf8(queues + "/"))
                        .setRangeEnd(ByteString.copyFromUtf8(queues + "0"))
                        .setCountOnly(true)
                        .build())
                .getCount();
    }

    List<Violation> violations() {
        return Checker.check(history).violations();
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            opened.pop().run();
        }
    }
}
