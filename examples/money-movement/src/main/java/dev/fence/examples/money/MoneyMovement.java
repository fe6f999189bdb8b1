package dev.fence.examples.money;

import dev.fence.examples.http.Payment;
import dev.fence.fixtures.EtcdServer;
import dev.fence.fixtures.PostgresServer;
import dev.fence.migrations.FenceMigrations;
import dev.fence.reconcile.BookTotals;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * Starts a PostgreSQL, an etcd, a bank with a bad line and two nodes; kills the node that pays in the middle of the first night; and
 * looks at the books in the end.
 */
public final class MoneyMovement {

    static final String PASSWORD = "MONEY_MOVEMENT_PASSWORD";
    private static final int NIGHTS = 3;
    private static final int INVOICES_A_NIGHT = 12;
    private static final Instant FIRST = Instant.parse("2026-11-27T02:30:00Z");
    private static final Duration LIMIT = Duration.ofMinutes(3);

    /**
     * What the books say.
     *
     * @param invoices in the ledger
     * @param paid in the ledger
     * @param refused in the ledger
     * @param paymentsOfTheBank that the bank made
     * @param differences between the journal and the bank's statement
     * @param slotsDone once each
     */
    public record Verdict(int invoices, int paid, int refused, int paymentsOfTheBank, long differences, int slotsDone) {

        /** Whether each invoice is paid once or refused, and nothing is open. */
        public boolean isRight() {
            return invoices == NIGHTS * INVOICES_A_NIGHT
                    && paid + refused == invoices
                    && refused == NIGHTS
                    && paymentsOfTheBank == paid
                    && differences == 0
                    && slotsDone == NIGHTS;
        }
    }

    private final PostgresServer postgres = PostgresServer.shared();
    private final String database = postgres.createDatabase();
    private final DataSource dataSource = postgres.dataSource(database);
    private final PrintStream out;
    private final List<Process> nodes = new ArrayList<>();

    private MoneyMovement(PrintStream out) {
        this.out = out;
    }

    public static void main(String[] args) throws Exception {
        Verdict verdict = play(System.out);
        System.out.println(verdict + (verdict.isRight() ? ": every invoice once" : ": WRONG"));
        System.exit(verdict.isRight() ? 0 : 1);
    }

    /** Plays it, telling what happens. */
    public static Verdict play(PrintStream out) throws Exception {
        try (Bank bank = new Bank()) {
            return new MoneyMovement(out).play(bank);
        }
    }

    private Verdict play(Bank bank) throws Exception {
        FenceMigrations.migrate(dataSource);
        fillTheLedger();
        try {
            CountDownLatch paying = new CountDownLatch(3);
            Process first = node("one", bank, paying);
            if (!paying.await(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("node one paid nothing within " + LIMIT);
            }
            first.destroyForcibly().waitFor();
            out.println("---- node one is killed while it pays; nodes two and three start");
            Process second = node("two", bank, new CountDownLatch(0));
            Process third = node("three", bank, new CountDownLatch(0));
            for (Process node : List.of(second, third)) {
                if (!node.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS) || node.exitValue() != 0) {
                    throw new IllegalStateException("a node failed, or took more than " + LIMIT);
                }
            }
            return verdict(bank);
        } finally {
            nodes.forEach(Process::destroyForcibly);
        }
    }

    private void fillTheLedger() throws SQLException {
        try (Connection c = dataSource.getConnection()) {
            Invoices.create(c);
            for (int i = 0; i < NIGHTS * INVOICES_A_NIGHT; i++) {
                boolean blocked = i % INVOICES_A_NIGHT == INVOICES_A_NIGHT - 1;
                Payment payment = new Payment(
                        blocked ? Bank.BLOCKED : "DE" + (100 + i),
                        new BigDecimal(100 + i).movePointLeft(1).setScale(2),
                        "EUR");
                Invoices.add(c, "invoice-%02d".formatted(i), slot(i / INVOICES_A_NIGHT), payment);
            }
        }
    }

    private static Instant slot(int night) {
        return FIRST.plus(Duration.ofDays(night));
    }

    private Process node(String name, Bank bank, CountDownLatch paid) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Node.class.getName(),
                EtcdServer.shared().endpoint(),
                postgres.jdbcUrl(database),
                postgres.user(),
                bank.url().toString()));
        for (int night = 0; night < NIGHTS; night++) {
            command.add(slot(night).toString());
        }
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put(PASSWORD, postgres.password());
        Process node = builder.start();
        nodes.add(node);
        Thread reader = new Thread(() -> tell(name, node, paid), "node-" + name);
        reader.setDaemon(true);
        reader.start();
        return node;
    }

    private void tell(String name, Process node, CountDownLatch paid) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(node.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                out.println("node " + name + ": " + line);
                if (line.contains(" is paid")) {
                    paid.countDown();
                }
            }
        } catch (IOException e) {
            out.println("node " + name + " says no more: " + e.getMessage());
        }
    }

    private Verdict verdict(Bank bank) throws SQLException, IOException, InterruptedException {
        Path statement = Files.createTempFile("statement-", ".csv");
        try {
            HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(bank.url().resolve("/statement"))
                                    .build(),
                            BodyHandlers.ofFile(statement));
            BookTotals totals = Settlement.reconciliation(dataSource, Settlement.gateway(bank.url()), statement)
                    .run(finding -> {});
            return new Verdict(
                    count("SELECT count(*) FROM invoice"),
                    count("SELECT count(*) FROM invoice WHERE state = 'paid' AND reference <> ''"),
                    count("SELECT count(*) FROM invoice WHERE state = 'refused'"),
                    bank.payments(),
                    totals.differences(),
                    count("SELECT count(*) FROM fence.slot WHERE state = 'done'"));
        } finally {
            Files.deleteIfExists(statement);
        }
    }

    private int count(String query) throws SQLException {
        try (Connection c = dataSource.getConnection();
                Statement statement = c.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getInt(1);
        }
    }
}
