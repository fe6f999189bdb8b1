package dev.fence.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.fence.Fence;
import dev.fence.FencedWriter;
import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.Leases;
import dev.fence.SessionTiming;
import dev.fence.etcd.EtcdLeases;
import dev.fence.etcd.EtcdSettings;
import dev.fence.jdbc.JdbcFence;
import dev.fence.jdbc.JdbcFenceSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A payout worker in a JVM of its own. It does what it is told on standard input, one command a line, and answers each with
 * one {@link Reply}. It decides nothing by itself and knows nothing of pauses: it goes on where it was.
 */
final class Worker {

    static final Duration TTL = Duration.ofSeconds(5);
    /** Over before the lease of a stopped worker is, so that the next holder need not wait; and enough on a busy machine. */
    private static final Duration LONGEST_TRANSACTION = Duration.ofSeconds(3);

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String name;
    private final Leases leases;
    private final Fence<Connection> ledger;
    private final BufferedReader commands;

    private @Nullable Lease lease;
    private @Nullable FencedWriter<Connection> writer;
    private Ledger.@Nullable Due due;

    private Worker(String name, Leases leases, Fence<Connection> ledger, BufferedReader commands) {
        this.name = name;
        this.leases = leases;
        this.ledger = ledger;
        this.commands = commands;
    }

    /** Arguments: name, fenced or unfenced, JDBC URL, user, etcd endpoints and namespace. The password comes in the environment. */
    public static void main(String[] args) throws Exception {
        List<String> endpoints = List.of(args[4].split(","));
        EtcdSettings etcd = EtcdSettings.of(
                        endpoints.get(0), endpoints.stream().skip(1).toArray(String[]::new))
                .withTiming(SessionTiming.ofTtl(TTL))
                .withNamespace(args[5])
                .withLabel("worker " + args[0]);
        try (HikariDataSource pool = pool(args[2], args[3], System.getenv("DEMO_PASSWORD"));
                Leases leases = EtcdLeases.open(etcd);
                BufferedReader commands =
                        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            Fence<Connection> ledger = args[1].equals("fenced")
                    ? JdbcFence.on(pool, JdbcFenceSettings.DEFAULTS.withLongestTransaction(LONGEST_TRANSACTION))
                    : new PlainLock(pool);
            new Worker(args[0], leases, ledger, commands).serve();
        }
    }

    private static HikariDataSource pool(String url, String user, String password) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setPassword(password);
        config.setMaximumPoolSize(2);
        return new HikariDataSource(config);
    }

    private void serve() throws IOException {
        say(new Reply(Reply.APPLIED, "ready", 0, 0, 0));
        for (String command = commands.readLine(); command != null; command = commands.readLine()) {
            say(answer(command));
        }
    }

    private Reply answer(String command) {
        long start = System.nanoTime();
        String outcome = Reply.APPLIED;
        String text = command;
        try {
            run(command);
        } catch (Exception e) {
            outcome = e.getClass().getSimpleName();
            text = String.valueOf(e.getMessage());
        }
        long millis = (System.nanoTime() - start) / 1_000_000;
        return new Reply(
                outcome, text, lease == null ? 0 : lease.token().value(), due == null ? 0 : due.invoice(), millis);
    }

    private void run(String command) throws Exception {
        switch (command) {
            case "acquire" -> lease = leases.acquire(Ledger.LEASE, LONGEST_WAIT);
            case "seal" -> writer = ledger.seal(lease(), Ledger.RESOURCE);
            case "read" -> due = writer().call(Ledger::next);
            case "pay" -> writer().write(this::post);
            case "pay in a thread that has the grant" -> payInThreadWith(lease().grant());
            case "pay, and wait after the first row" -> writer().write(this::postInTwoSteps);
            case "release" -> lease().close();
            default -> throw new IllegalArgumentException("unknown command: " + command);
        }
    }

    private void post(Connection connection) throws SQLException {
        Ledger.Due now = due();
        Ledger.debit(connection, now, lease().token().value(), name);
        Ledger.credit(connection, now, lease().token().value(), name);
    }

    private void postInTwoSteps(Connection connection) throws SQLException, IOException {
        Ledger.Due now = due();
        Ledger.debit(connection, now, lease().token().value(), name);
        say(new Reply(Reply.APPLIED, "first row written", lease().token().value(), now.invoice(), 0));
        commands.readLine();
        Ledger.credit(connection, now, lease().token().value(), name);
    }

    /** As a request handler in another thread or process that got the grant in a header. */
    private void payInThreadWith(Grant grant) throws Exception {
        String header = grant.toString();
        try {
            CompletableFuture.runAsync(() -> {
                        try {
                            ledger.attach(Grant.parse(header), Ledger.RESOURCE).write(this::post);
                        } catch (SQLException e) {
                            throw new IllegalStateException(e);
                        }
                    })
                    .get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    private static void say(Reply reply) throws IOException {
        System.out.println(JSON.writeValueAsString(reply));
    }

    private Lease lease() {
        return Objects.requireNonNull(lease, "no lease was acquired");
    }

    private FencedWriter<Connection> writer() {
        return Objects.requireNonNull(writer, "nothing was sealed");
    }

    private Ledger.Due due() {
        return Objects.requireNonNull(due, "nothing was read");
    }
}
