package dev.fence.benchmarks.jdbc;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Results as JSON for programs and as a table for people. */
final class Report {

    private final List<Result> results;

    Report(List<Result> results) {
        this.results = List.copyOf(results);
    }

    void writeJson(Path file) throws IOException {
        List<Map<String, Object>> rows = results.stream().map(Report::json).toList();
        new ObjectMapper().writerWithDefaultPrettyPrinter().writeValue(file.toFile(), Map.of("results", rows));
    }

    private static Map<String, Object> json(Result result) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("design", result.design());
        row.put("threads", result.scenario().threads());
        row.put("resources", result.scenario().resources().json());
        row.put("delayMicros", result.scenario().delayMicros());
        row.put("synchronousCommit", result.scenario().synchronousCommit());
        row.put("throughputRatio", rounded(result.throughputRatio(), 3));
        row.put("p50Ratio", rounded(result.p50Ratio(), 3));
        row.put("roundTrips", rounded(result.cost().roundTrips(), 1));
        row.put("walBytes", rounded(result.cost().walBytes(), 0));
        return row;
    }

    private static BigDecimal rounded(double value, int digits) {
        return BigDecimal.valueOf(value).setScale(digits, RoundingMode.HALF_UP);
    }

    /** In Markdown: throughput as a ratio to the plain write, a column for each scenario. */
    String table(boolean synchronousCommit) {
        List<Scenario> scenarios = results.stream()
                .map(Result::scenario)
                .filter(scenario -> scenario.synchronousCommit() == synchronousCommit)
                .distinct()
                .toList();
        StringBuilder table = new StringBuilder("| design |");
        scenarios.forEach(
                scenario -> table.append(' ').append(heading(scenario)).append(" |"));
        table.append(" trips | WAL B |\n|")
                .append(" --- |".repeat(scenarios.size() + 3))
                .append('\n');
        for (String design : results.stream().map(Result::design).distinct().toList()) {
            table.append("| ").append(design).append(" |");
            for (Scenario scenario : scenarios) {
                table.append(String.format(
                        Locale.ROOT, " %.2f |", find(design, scenario).throughputRatio()));
            }
            Cost cost = find(design, scenarios.get(0)).cost();
            table.append(String.format(Locale.ROOT, " %.1f | %.0f |%n", cost.roundTrips(), cost.walBytes()));
        }
        return table.toString();
    }

    private static String heading(Scenario scenario) {
        return scenario.threads() + " × " + scenario.resources().json()
                + (scenario.delayMicros() == 0 ? "" : ", +" + scenario.delayMicros() / 1000.0 + " ms");
    }

    Result find(String design, Scenario scenario) {
        return results.stream()
                .filter(result ->
                        result.design().equals(design) && result.scenario().equals(scenario))
                .findFirst()
                .orElseThrow();
    }
}
