package dev.fence.chaos;

import dev.fence.Lease;
import dev.fence.Leases;
import dev.fence.etcd.EtcdLeases;
import dev.fence.fixtures.EtcdCluster;
import dev.fence.fixtures.OwnNetwork;
import dev.fence.fixtures.PostgresServer;
import dev.fence.jdbc.JdbcFence;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** One seeded run: workers contend while faults come and go; then all is well again and everything must end. */
final class Run {

    private static final int SEATS = 4;
    private static final Duration LONGEST_ASK = Duration.ofSeconds(20);
    private static final Duration LONGEST_BEGINNING = Duration.ofMinutes(1);
    private static final long LONGEST_END_SECONDS = 60;

    private final long seed;
    private final EtcdCluster etcd;
    private final PostgresServer postgres;
    private final String database;
    private final Path folder;
    private final @Nullable Path faketime;
    private final @Nullable OwnNetwork network;
    private final String namespace;
    private final History history = new History();
    private final List<Seat> seats = new ArrayList<>();

    /**
     * @param folder for what the processes say
     * @param network that {@code etcd} is in, or null
     */
    Run(
            long seed,
            EtcdCluster etcd,
            PostgresServer postgres,
            String database,
            Path folder,
            @Nullable Path faketime,
            @Nullable OwnNetwork network) {
        this.seed = seed;
        this.etcd = etcd;
        this.postgres = postgres;
        this.database = database;
        this.folder = folder;
        this.faketime = faketime;
        this.network = network;
        this.namespace = "chaos-" + seed + "-" + System.nanoTime();
    }

    History history() {
        return history;
    }

    /** @throws Exception if the run could not be played to its end; then its history proves nothing */
    void play(Duration faulty) throws Exception {
        try (Grounds grounds = new Grounds(network, postgres, etcd.members().size())) {
            play(faulty, grounds);
        }
        askForEverything();
        for (String lease : leases()) {
            resource(lease).read(dataSource(), history);
        }
    }

    private void play(Duration faulty, Grounds grounds) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        Partitions partitions = grounds.partitions(etcd.members(), seats);
        history.accept(Event.of(
                System.nanoTime(),
                "run",
                What.RUN,
                "seed=" + seed + " members=" + etcd.members().size() + " ttlMillis=" + Worker.TTL.toMillis()
                        + " leases=" + String.join(",", Worker.LEASES) + " elections=" + Worker.LEADER
                        + " partitions=" + partitions.by()));
        createGuards();
        try {
            for (int i = 1; i <= SEATS; i++) {
                Seat seat = new Seat(
                        "w" + i,
                        setting(i == 1 && Math.floorMod(seed, 8) < 2 ? faketime : null, grounds),
                        history,
                        random.split());
                seats.add(seat);
                seat.start();
            }
            awaitWritesOfAll();
            Faults faults = new Faults(etcd, seats, partitions, history, random.split());
            new Nemesis(faults, history, random.split()).run(faulty.toNanos());
            // Whoever is left behind by then is left behind for good.
            TimeUnit.MILLISECONDS.sleep(Worker.TTL.toMillis());
        } finally {
            for (Seat seat : seats) {
                seat.worker().stop();
            }
            for (Seat seat : seats) {
                seat.worker().awaitEnd(LONGEST_END_SECONDS);
                seat.close();
            }
        }
    }

    /** One wall clock that can be stepped in every fourth run: libfaketime makes a virtual machine several times as slow. */
    private Seat.Setting setting(@Nullable Path faketime, Grounds grounds) {
        return new Seat.Setting(
                namespace,
                etcd.members(),
                grounds.jdbcUrl(database),
                postgres.user(),
                postgres.password(),
                folder,
                faketime,
                grounds);
    }

    private static List<String> leases() {
        List<String> leases = new ArrayList<>(Worker.LEASES);
        leases.add(Worker.LEADER);
        return leases;
    }

    private DataSource dataSource() {
        return postgres.dataSource(database);
    }

    private Resource resource(String lease) {
        return new Resource(JdbcFence.on(dataSource()), Worker.resource(namespace, lease));
    }

    private void createGuards() throws InterruptedException {
        try (Leases leases = EtcdLeases.open(Worker.settings("prepare", etcd.endpoints(), namespace))) {
            for (String name : leases()) {
                try (Lease lease = leases.acquire(name, LONGEST_ASK)) {
                    Resource resource = resource(name);
                    resource.fence().create(lease, resource.name());
                }
            }
        }
    }

    /** Faults begin when everybody is at it; on a slow machine that takes a while. */
    private void awaitWritesOfAll() throws InterruptedException {
        long end = System.nanoTime() + LONGEST_BEGINNING.toNanos();
        while (!leases().stream().allMatch(history::isWritten)) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("without any fault, no write under each of " + leases() + " took effect"
                        + " within " + LONGEST_BEGINNING);
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** Nobody is left, so each lease must be free, at the latest after a dead holder's time to live. */
    private void askForEverything() throws InterruptedException {
        Actor last = new Actor("last", history);
        try (Leases leases = EtcdLeases.open(Worker.settings("last", etcd.endpoints(), namespace))) {
            for (String name : leases()) {
                last.acquire(leases, name, LONGEST_ASK).ifPresent(last::release);
            }
        }
    }
}
