package dev.fence.benchmarks.jdbc;

import dev.fence.benchmarks.jdbc.Turns.Player;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * One design's figures in one scenario. Ratios are to the plain write of the same scenario and run.
 *
 * @param writesPerSecond of this machine and this moment: for the curious, not for comparing
 */
record Result(
        String design, Scenario scenario, double throughputRatio, double p50Ratio, double writesPerSecond, Cost cost) {

    static List<Result> of(Scenario scenario, List<Player> players, Map<String, Cost> costs) {
        Player plain = players.get(0);
        List<Result> results = new ArrayList<>();
        for (Player player : players) {
            double[] ratios = IntStream.range(0, player.rates().size())
                    .mapToDouble(
                            round -> player.rates().get(round) / plain.rates().get(round))
                    .toArray();
            results.add(new Result(
                    player.design().name(),
                    scenario,
                    median(ratios),
                    player.latencies().median() / plain.latencies().median(),
                    median(player.rates().stream().mapToDouble(rate -> rate).toArray()),
                    costs.getOrDefault(player.design().name(), new Cost(Double.NaN, Double.NaN))));
        }
        return results;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
