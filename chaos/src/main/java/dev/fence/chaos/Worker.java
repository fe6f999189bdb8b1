package dev.fence.chaos;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.fence.BusyException;
import dev.fence.ElectionResource;
import dev.fence.ElectionSettings;
import dev.fence.Fence;
import dev.fence.LeaderElection;
import dev.fence.Leases;
import dev.fence.SessionTiming;
import dev.fence.etcd.EtcdLeases;
import dev.fence.etcd.EtcdSettings;
import dev.fence.jdbc.JdbcFence;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A process that contends for every lease and stands for the election, until its standard input ends. What it is told goes to
 * standard output, one {@link Event} a line.
 */
final class Worker {

    /** One is a prefix of the other on purpose. */
    static final List<String> LEASES = List.of("payouts", "payouts/EU");

    static final String LEADER = "leader";
    static final Duration TTL = Duration.ofSeconds(3);

    private final String process;
    private final String namespace;
    private final Fence<Connection> fence;
    private final SplittableRandom random;
    private final CountDownLatch stop = new CountDownLatch(1);

    private Worker(String process, String namespace, Fence<Connection> fence, long seed) {
        this.process = process;
        this.namespace = namespace;
        this.fence = fence;
        this.random = new SplittableRandom(seed);
    }

    /** Arguments: process, etcd endpoints, namespace, JDBC URL, user, seed. The password comes in the environment. */
    public static void main(String[] args) throws Exception {
        HikariConfig pool = new HikariConfig();
        pool.setJdbcUrl(args[3]);
        pool.setUsername(args[4]);
        pool.setPassword(System.getenv("CHAOS_PASSWORD"));
        pool.setMaximumPoolSize(4);
        pool.setMinimumIdle(1);
        Actor self = new Actor(args[0], Worker::print);
        self.note(What.STARTED, "", 0, "");
        try (HikariDataSource database = new HikariDataSource(pool)) {
            Worker worker = new Worker(args[0], args[2], JdbcFence.on(database), Long.parseLong(args[5]));
            worker.stopAtEndOfInput();
            Optional<EtcdLeases> leases = worker.open(settings(args[0], List.of(args[1].split(",")), args[2]));
            if (leases.isPresent()) {
                worker.contend(leases.get());
            }
        }
        self.note(What.ENDED, "", 0, "");
    }

    static EtcdSettings settings(String label, List<String> endpoints, String namespace) {
        return EtcdSettings.of(endpoints.get(0), endpoints.stream().skip(1).toArray(String[]::new))
                .withSource("chaos")
                .withNamespace(namespace)
                .withLabel(label)
                .withTiming(SessionTiming.forcedTtl(TTL));
    }

    static String resource(String namespace, String lease) {
        return namespace + "/" + lease;
    }

    /** Under one lock, so that no line is torn. */
    private static synchronized void print(Event event) {
        System.out.println(event.toLine());
    }

    private void stopAtEndOfInput() {
        Thread reading = new Thread(
                () -> {
                    try (BufferedReader input =
                            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
                        while (input.readLine() != null) {}
                    } catch (IOException e) {
                        System.err.println("input failed: " + e);
                    } finally {
                        stop.countDown();
                    }
                },
                "chaos-input");
        reading.setDaemon(true);
        reading.start();
    }

    /** Again and again: a process may start while etcd cannot be reached. */
    private Optional<EtcdLeases> open(EtcdSettings settings) throws InterruptedException {
        while (!stop.await(50, TimeUnit.MILLISECONDS)) {
            try {
                return Optional.of(EtcdLeases.open(settings));
            } catch (BusyException e) {
                System.err.println(e.getMessage());
            }
        }
        return Optional.empty();
    }

    private void contend(Leases opened) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        try (Leases leases = opened) {
            LeaderElection election = stand(leases);
            try {
                for (String lease : LEASES) {
                    String who = process + "/" + lease;
                    Contender contender = new Contender(
                            new Actor(who, Worker::print), leases, lease, resource(lease), random.split(), stop);
                    Thread thread = new Thread(contender, "chaos-" + who);
                    threads.add(thread);
                    thread.start();
                }
                stop.await();
                for (Thread thread : threads) {
                    thread.join();
                }
            } finally {
                election.close();
            }
        }
    }

    private LeaderElection stand(Leases leases) {
        Resource resource = resource(LEADER);
        return LeaderElection.run(
                leases,
                LEADER,
                ElectionSettings.DEFAULTS.withResources(new ElectionResource<>(fence, resource.name())),
                new Stand(new Actor(process + "/" + LEADER, Worker::print), resource, random.split()));
    }

    private Resource resource(String lease) {
        return new Resource(fence, resource(namespace, lease));
    }
}
