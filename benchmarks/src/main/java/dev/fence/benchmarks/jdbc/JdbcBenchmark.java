package dev.fence.benchmarks.jdbc;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What a fenced write to PostgreSQL costs, as a ratio to the plain write in the same run. */
@Command(name = "script/bench jdbc", mixinStandardHelpOptions = true)
final class JdbcBenchmark implements Callable<Integer> {

    @Option(
            names = "--quick",
            description = "short slices and few rounds: three minutes instead of a quarter of an hour")
    private boolean quick;

    @Option(names = "--json", paramLabel = "FILE", description = "where the results go, besides the tables")
    private @Nullable Path json;

    public static void main(String[] args) {
        System.exit(new CommandLine(new JdbcBenchmark()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        List<Result> results = new ArrayList<>();
        try (Database database = new Database()) {
            database.requireDurable();
            Map<Scenario.Resources, Map<String, Cost>> costs = new HashMap<>();
            for (Scenario.Resources resources : Scenario.Resources.values()) {
                costs.put(resources, costs(database, resources));
            }
            for (Scenario scenario : Scenario.all()) {
                results.addAll(measure(scenario, database, costs.getOrDefault(scenario.resources(), Map.of())));
            }
        }
        Report report = new Report(results);
        for (boolean synchronousCommit : List.of(true, false)) {
            System.out.println("\nThroughput as a ratio to plain, threads × resources, synchronous_commit "
                    + (synchronousCommit ? "on" : "off") + "\n\n" + report.table(synchronousCommit));
        }
        if (json != null) {
            report.writeJson(json);
        }
        return 0;
    }

    private Map<String, Cost> costs(Database database, Scenario.Resources resources) throws Exception {
        Map<String, Cost> costs = new HashMap<>();
        for (Design design : Design.all()) {
            costs.put(design.name(), Cost.of(design, database, resources));
        }
        return costs;
    }

    private List<Result> measure(Scenario scenario, Database database, Map<String, Cost> costs) throws Exception {
        try (Turns turns = new Turns(scenario, database, Design.all())) {
            Duration slice = Duration.ofMillis(quick ? 100 : 250);
            turns.warmUp(slice);
            turns.play(quick ? 4 : 15, slice);
            List<Result> results = Result.of(scenario, turns.players(), costs);
            System.err.printf(
                    "%s: %.0f plain writes/s%n", scenario, results.get(0).writesPerSecond());
            return results;
        }
    }
}
