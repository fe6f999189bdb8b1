package dev.fence.benchmarks.etcd;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fence.SessionTiming;
import dev.fence.etcd.EtcdLeases;
import dev.fence.etcd.EtcdSettings;
import dev.fence.fixtures.EtcdCluster;
import dev.fence.fixtures.EtcdServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Runs all of it on an etcd of its own, and prints a table. */
final class EtcdBenchmark implements Callable<Integer> {

    @Option(names = "--quick", description = "fewer rounds")
    private boolean quick;

    @Option(names = "--json", description = "write the results to this file too")
    private @Nullable Path json;

    public static void main(String[] args) {
        System.exit(new CommandLine(new EtcdBenchmark()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        List<Result> results = new ArrayList<>();
        try (EtcdServer server = EtcdServer.startOwn();
                Etcd etcd = new Etcd(server.endpoint())) {
            EtcdSettings settings =
                    EtcdSettings.of(server.endpoint()).withTiming(SessionTiming.ofTtl(Duration.ofSeconds(60)));
            EtcdSettings brief = settings.withTiming(SessionTiming.ofTtl(Duration.ofSeconds(5)));
            try (EtcdLeases leases = EtcdLeases.open(settings)) {
                results.addAll(Uncontended.measure("", server.endpoint(), leases, quick ? 20 : 150));
                for (int waiters : new int[] {1, 100, 1_000}) {
                    results.addAll(HandOver.measure(etcd, leases, waiters, quick ? 20 : 50));
                }
                results.addAll(Failover.measure(brief, leases, quick ? 1 : 5));
            }
            results.addAll(threeMembers(quick ? 20 : 150));
            results.addAll(ManyLeases.measure(etcd, brief, quick ? 2_000 : 10_000, quick ? 5 : 20));
            Path etcdctl = Path.of(System.getenv("FENCE_ETCD_BIN")).resolveSibling("etcdctl");
            results.addAll(Uncontended.commandLine(etcdctl, server.endpoint(), quick ? 3 : 15));
        }
        results.forEach(EtcdBenchmark::print);
        Path file = json;
        if (file != null) {
            new ObjectMapper().writerWithDefaultPrettyPrinter().writeValue(file.toFile(), Map.of("results", results));
        }
        return 0;
    }

    /** As in production, but on one machine: each member waits for its own disk and for another's. */
    private static List<Result> threeMembers(int rounds) throws Exception {
        try (EtcdCluster cluster = EtcdCluster.start(3);
                EtcdLeases leases =
                        EtcdLeases.open(EtcdSettings.of(cluster.endpoints().get(0)))) {
            return Uncontended.measure(", three members", cluster.endpoints().get(0), leases, rounds);
        }
    }

    private static void print(Result result) {
        System.out.println(String.format(
                Locale.ROOT,
                "%-48s %-34s %12.3f %-7s %6.2f x",
                result.measure(),
                result.who(),
                result.value(),
                result.unit(),
                result.ratio()));
    }
}
