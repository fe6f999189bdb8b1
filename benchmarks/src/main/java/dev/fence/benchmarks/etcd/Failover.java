package dev.fence.benchmarks.etcd;

import dev.fence.Lease;
import dev.fence.LeaseSettings;
import dev.fence.Leases;
import dev.fence.etcd.EtcdLeases;
import dev.fence.etcd.EtcdSettings;
import dev.fence.fixtures.Direction;
import dev.fence.fixtures.TcpProxy;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** From the moment in which a holder falls silent until the next is granted its lease. */
final class Failover {

    private Failover() {}

    static List<Result> measure(EtcdSettings settings, Leases others, int rounds) throws Exception {
        Samples times = new Samples();
        URI target = settings.endpoints().get(0);
        for (int i = 0; i < rounds; i++) {
            try (TcpProxy way = TcpProxy.to(target.getHost(), target.getPort())) {
                EtcdSettings through = new EtcdSettings(
                        List.of(URI.create("http://" + way.host() + ":" + way.port())),
                        settings.source(),
                        settings.namespace(),
                        settings.timing(),
                        settings.label(),
                        settings.events(),
                        settings.tls(),
                        settings.user());
                EtcdLeases silent = EtcdLeases.open(through);
                Lease held = silent.acquire("failover-" + i, Duration.ofSeconds(10));
                CompletableFuture<Lease> next =
                        others.acquireAsync(held.name(), Duration.ofMinutes(1), LeaseSettings.DEFAULTS);
                long start = System.nanoTime();
                way.hold(Direction.TO_SERVER);
                way.hold(Direction.TO_CLIENT);
                Lease granted = next.get(1, TimeUnit.MINUTES);
                times.add("fence", System.nanoTime() - start);
                granted.close();
                silent.close();
            }
        }
        return new ArrayList<>(times.medians(
                "failover, time to live " + settings.timing().ttl().toSeconds() + " s", "fence"));
    }
}
