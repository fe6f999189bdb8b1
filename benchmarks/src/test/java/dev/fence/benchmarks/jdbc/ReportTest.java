package dev.fence.benchmarks.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fence.benchmarks.jdbc.Scenario.Resources;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {

    private static final Scenario SCENARIO = new Scenario(8, Resources.ONE, 500, true);

    private final Report report = new Report(List.of(
            new Result("plain", SCENARIO, 1, 1, 5000, new Cost(1, 115)),
            new Result("fence-execute", SCENARIO, 0.91449, 1.0996, 4500, new Cost(1, 115.2))));

    @Test
    void jsonHasOneRowForEachDesignAndScenario(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("results.json");
        report.writeJson(file);

        ObjectMapper json = new ObjectMapper();
        assertThat(json.readTree(file.toFile()).get("results").get(1))
                .isEqualTo(json.readTree("{\"design\":\"fence-execute\",\"threads\":8,\"resources\":\"one\","
                        + "\"delayMicros\":500,\"synchronousCommit\":true,\"throughputRatio\":0.914,\"p50Ratio\":1.100,"
                        + "\"roundTrips\":1.0,\"walBytes\":115}"));
    }

    @Test
    void theTableHasAColumnForEachScenario() {
        assertThat(report.table(true)).isEqualTo("""
                        | design | 8 × one, +0.5 ms | trips | WAL B |
                        | --- | --- | --- | --- |
                        | plain | 1.00 | 1.0 | 115 |
                        | fence-execute | 0.91 | 1.0 | 115 |
                        """);
    }
}
