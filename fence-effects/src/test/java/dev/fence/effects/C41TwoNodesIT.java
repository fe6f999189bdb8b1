package dev.fence.effects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.fixtures.EtcdServer;
import dev.fence.fixtures.PostgresServer;
import dev.fence.fixtures.Processes;
import dev.fence.migrations.FenceMigrations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** C41: 750 payouts on two nodes at once, one killed in the middle, one paused in the middle; each is paid once. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class C41TwoNodesIT {

    private static final int PAYOUTS = 750;
    private static final long SEED = Long.getLong("fence.effects.seed", 41);

    private final Random random = new Random(SEED);
    private final PostgresServer postgres = PostgresServer.shared();
    private final String database = postgres.createDatabase();
    private final DataSource dataSource = postgres.dataSource(database);
    private final List<Node> nodes = new ArrayList<>();

    @TempDir
    Path folder;

    private record Node(Process process, Path said) {
        boolean works() throws IOException {
            return Files.readString(said).contains("item ");
        }
    }

    @AfterEach
    void endNodes() {
        nodes.forEach(node -> Processes.kill(node.process().pid()));
    }

    @Test
    void eachPayoutIsInTheBooksOnceWhateverHappensToTheNodes() throws Exception {
        FenceMigrations.migrate(dataSource);
        try (HttpProvider provider = new HttpProvider(SEED, 300)) {
            List<Node> both = List.of(node(provider), node(provider));
            untilDone(1 + random.nextInt(PAYOUTS / 3));
            // It says so a little after what it did can be seen.
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> both.get(0).works() || both.get(1).works());
            boolean firstWorks = both.get(0).works();
            Processes.kill(both.get(firstWorks ? 0 : 1).process().pid());

            Node paused = both.get(firstWorks ? 1 : 0);
            Node successor = node(provider);
            untilDone(PAYOUTS / 3 + random.nextInt(PAYOUTS / 3));
            Processes.pause(paused.process().pid());

            untilDone(PAYOUTS * 3 / 4);
            Processes.resume(paused.process().pid());
            for (Node node : List.of(paused, successor)) {
                assertThat(node.process().waitFor(60, TimeUnit.SECONDS)).isTrue();
                assertThat(node.process().exitValue()).as(() -> said(node)).isZero();
            }

            assertThat(provider.payments()).as("payments, seed %d", SEED).isEqualTo(PAYOUTS);
            assertThat(provider.calls).as("one key for each, seed %d", SEED).hasSize(PAYOUTS);
            assertThat(done()).isEqualTo(PAYOUTS);
            assertThat(said(successor)).contains(new Totals(0, PAYOUTS, 0, 0, 0).toString());
        }
    }

    private Node node(HttpProvider provider) throws IOException {
        Path said = folder.resolve("node-" + nodes.size() + ".log");
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        PayoutNode.class.getName(),
                        EtcdServer.shared().endpoint(),
                        postgres.jdbcUrl(database),
                        postgres.user(),
                        provider.url(),
                        String.valueOf(PAYOUTS))
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        builder.environment().put("NODE_PASSWORD", postgres.password());
        Node node = new Node(builder.start(), said);
        nodes.add(node);
        return node;
    }

    private void untilDone(int wanted) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(10))
                .untilAsserted(() -> assertThat(done())
                        .as(() -> "effects done; the nodes said: "
                                + nodes.stream().map(C41TwoNodesIT::said).toList())
                        .isGreaterThanOrEqualTo(wanted));
    }

    private int done() throws SQLException {
        try (Connection c = dataSource.getConnection();
                Statement statement = c.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM fence.effect WHERE state = 'done'")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private static String said(Node node) {
        try {
            return Files.readString(node.said());
        } catch (IOException e) {
            return e.toString();
        }
    }
}
