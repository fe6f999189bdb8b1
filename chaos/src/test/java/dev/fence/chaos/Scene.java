package dev.fence.chaos;

import dev.fence.Lease;
import dev.fence.Leases;
import dev.fence.SessionTiming;
import dev.fence.etcd.EtcdLeases;
import dev.fence.etcd.EtcdSettings;
import dev.fence.fixtures.EtcdCluster;
import dev.fence.fixtures.TcpProxy;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One namespace of a real etcd, the clients of one kind in it, and what they noted. */
final class Scene implements AutoCloseable {

    static final Duration TTL = Duration.ofSeconds(2);

    private final EtcdCluster etcd;
    private final PlantedLeases.@Nullable Flaw flaw;
    private final String namespace = "scene-" + UUID.randomUUID();
    private final History history = new History();
    private final Deque<Runnable> opened = new ArrayDeque<>();

    /** @param flaw of the clients, or null for those of fence */
    Scene(EtcdCluster etcd, PlantedLeases.@Nullable Flaw flaw) {
        this.etcd = etcd;
        this.flaw = flaw;
        history.accept(Event.of(System.nanoTime(), "run", What.RUN, "ttlMillis=" + TTL.toMillis()));
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
                ? new PlantedLeases(flaw, endpoints, namespace)
                : EtcdLeases.open(EtcdSettings.of(
                                endpoints.get(0), endpoints.stream().skip(1).toArray(String[]::new))
                        .withNamespace(namespace)
                        .withTiming(SessionTiming.forcedTtl(TTL)));
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
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - end < 0 && actor.claims(lease)) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
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
