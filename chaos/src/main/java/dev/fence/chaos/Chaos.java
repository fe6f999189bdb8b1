package dev.fence.chaos;

import dev.fence.fixtures.EtcdCluster;
import dev.fence.fixtures.OwnNetwork;
import dev.fence.fixtures.PostgresServer;
import dev.fence.migrations.FenceMigrations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Plays seeded runs, or checks a history again. The last line counts, and the exit code says the same. */
@Command(
        name = "script/chaos etcd",
        mixinStandardHelpOptions = true,
        description = "Plays seeded faults on real processes, and checks what they did. The last line is"
                + " \"N runs, M faults, V violations\"; the exit code is 1 if there are violations.")
final class Chaos implements Callable<Integer> {

    @Option(names = "--minutes", defaultValue = "5", description = "how long runs are begun; default ${DEFAULT-VALUE}")
    private int minutes;

    @Option(names = "--runs", defaultValue = "1000000", description = "at most so many runs")
    private int runs;

    @Option(
            names = "--seed",
            defaultValue = "1",
            description = "of the first run, the others count on; even: one etcd, odd: three; default ${DEFAULT-VALUE}")
    private long seed;

    @Option(names = "--seconds", defaultValue = "18", description = "of faults in each run; default ${DEFAULT-VALUE}")
    private int seconds;

    @Option(names = "--histories", description = "the folder for histories of failed runs; default ${DEFAULT-VALUE}")
    private Path histories = Path.of("chaos/target/histories");

    @Option(names = "--keep", description = "keep the histories of all runs")
    private boolean keep;

    @Option(names = "--check", description = "check this history instead")
    private @Nullable Path check;

    @Option(names = "--faketime", description = "libfaketime, without which wall clocks are not stepped")
    private @Nullable Path faketime;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private int played;
    private int faults;
    private int revokedAlive;
    private int violations;

    public static void main(String[] args) {
        System.exit(new CommandLine(new Chaos()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        require("--minutes", minutes, 24 * 60);
        require("--runs", runs, 1_000_000);
        require("--seconds", seconds, 600);
        Path again = check;
        if (again != null) {
            count(Checker.check(History.read(again)), again.toString());
        } else {
            playAll();
        }
        if (revokedAlive > 0) {
            System.out.println(
                    "etcd itself ended " + revokedAlive + " live sessions whose lease the next was granted before"
                            + " the holder could know; no write of theirs took effect after the next had sealed");
        }
        System.out.println(summary());
        return violations == 0 ? 0 : 1;
    }

    /** The last line. */
    String summary() {
        return played + " runs, " + faults + " faults, " + violations + " violations";
    }

    private void require(String option, int value, int most) {
        if (value < 1 || value > most) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), option + " " + value + " is out of range: 1 to " + most + " is permitted");
        }
    }

    private void playAll() throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(minutes);
        Files.createDirectories(histories);
        OwnNetwork network = OwnNetwork.find().orElse(null);
        try (PostgresServer postgres = PostgresServer.start();
                Clusters clusters = new Clusters(network)) {
            String database = postgres.createDatabase();
            FenceMigrations.migrate(postgres.dataSource(database));
            Resource.createTable(postgres.dataSource(database));
            for (int i = 0; i < runs && System.nanoTime() - end < 0; i++) {
                playOne(seed + i, clusters, network, postgres, database);
            }
        }
    }

    private void playOne(
            long runSeed, Clusters clusters, @Nullable OwnNetwork network, PostgresServer postgres, String database)
            throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("fence-chaos-");
        Run run = new Run(runSeed, clusters.ofParity(runSeed), postgres, database, folder, faketime, network);
        playOne(runSeed, folder, run.history(), () -> {
            try {
                run.play(Duration.ofSeconds(seconds));
            } catch (Exception e) {
                clusters.forget(runSeed);
                throw e;
            }
        });
    }

    /** What is played writes its history meanwhile. */
    interface Play {
        void play() throws Exception;
    }

    /**
     * Plays a run and judges it. What was thrown is in the history too, so that it counts as a violation, is kept with all that
     * explains it, and is found again by a check of the history.
     *
     * @param folder for what the processes say; it stays if there are violations
     */
    void playOne(long runSeed, Path folder, History history, Play play) throws IOException, InterruptedException {
        String name = "seed " + runSeed;
        try {
            play.play();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            history.accept(Event.of(
                    System.nanoTime(), "run", What.WRONG, "the run could not be played to its end: " + withCauses(e)));
        }
        Verdict verdict = Checker.check(history);
        count(verdict, name);
        Path file = histories.resolve("seed-" + runSeed + ".history");
        if (keep || !verdict.violations().isEmpty()) {
            history.write(file);
        }
        if (!verdict.violations().isEmpty()) {
            System.out.println("  history: " + file + ", what the processes said: " + folder);
            System.out.println("  check again: script/chaos etcd --check " + file
                    + "; play again: script/chaos etcd --runs 1 --seed " + runSeed);
        } else {
            delete(folder);
        }
    }

    private static String withCauses(Throwable failure) {
        StringBuilder words = new StringBuilder(failure.toString());
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            words.append(", because of ").append(cause);
        }
        return words.toString();
    }

    private void count(Verdict verdict, String name) {
        played++;
        faults += verdict.faults();
        revokedAlive += verdict.revokedAlive();
        violations += verdict.violations().size();
        System.out.println(name + ": " + verdict.faults() + " faults, "
                + verdict.violations().size() + " violations");
        verdict.violations().forEach(violation -> System.out.println("  " + violation));
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    /** One etcd and three, each started when first wanted and used by all runs. */
    private static final class Clusters implements AutoCloseable {

        private final @Nullable OwnNetwork network;
        private final @Nullable EtcdCluster[] started = new EtcdCluster[2];

        Clusters(@Nullable OwnNetwork network) {
            this.network = network;
        }

        EtcdCluster ofParity(long seed) {
            int odd = Math.floorMod(seed, 2);
            EtcdCluster present = started[odd];
            if (present == null) {
                int size = odd == 0 ? 1 : 3;
                present = network == null ? EtcdCluster.start(size) : EtcdCluster.start(size, network);
                started[odd] = present;
            }
            return present;
        }

        /** A cluster that a run has left in no known state. */
        void forget(long seed) {
            int odd = Math.floorMod(seed, 2);
            EtcdCluster present = started[odd];
            started[odd] = null;
            if (present != null) {
                present.close();
            }
        }

        @Override
        public void close() {
            for (EtcdCluster cluster : started) {
                if (cluster != null) {
                    cluster.close();
                }
            }
        }
    }
}
