package dev.fence.benchmarks.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.fence.benchmarks.jdbc.Design.Bench;
import dev.fence.benchmarks.jdbc.Design.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * All designs take turns in short slices, in another order in each round, so that all see the same machine. Each has a pool of
 * its own: what one leaves in its connections is no other's business.
 */
final class Turns implements AutoCloseable {

    /** One design's turns so far. */
    record Player(Design design, HikariDataSource pool, Write write, List<Double> rates, Latencies latencies) {}

    private final Scenario scenario;
    private final List<Player> players = new ArrayList<>();
    private final ExecutorService threads;
    private final Random order = new Random(1);

    Turns(Scenario scenario, Database database, List<Design> designs) throws Exception {
        this.scenario = scenario;
        this.threads = Executors.newFixedThreadPool(scenario.threads());
        for (Design design : designs) {
            HikariDataSource pool = database.pool(scenario);
            Write write = design.setUp().on(new Bench(pool, database.lease(), scenario.accounts()));
            players.add(new Player(design, pool, write, new ArrayList<>(), new Latencies()));
        }
    }

    /** In the order of the designs. */
    List<Player> players() {
        return players;
    }

    void warmUp(Duration slice) throws Exception {
        play(slice, false);
    }

    void play(int rounds, Duration slice) throws Exception {
        for (int i = 0; i < rounds; i++) {
            play(slice, true);
        }
    }

    private void play(Duration slice, boolean counts) throws Exception {
        List<Player> shuffled = new ArrayList<>(players);
        Collections.shuffle(shuffled, order);
        for (Player player : shuffled) {
            double rate = 0;
            for (Turn turn : turn(player, slice)) {
                rate += turn.rate();
                if (counts) {
                    player.latencies().add(turn.latencies());
                }
            }
            if (counts) {
                player.rates().add(rate);
            }
        }
    }

    /** One thread's part of a slice: writes for each second, and how long each took. */
    private record Turn(double rate, Latencies latencies) {}

    private List<Turn> turn(Player player, Duration slice) throws Exception {
        CyclicBarrier start = new CyclicBarrier(scenario.threads());
        List<Callable<Turn>> parts = new ArrayList<>();
        for (int thread = 0; thread < scenario.threads(); thread++) {
            List<Account> accounts = scenario.accounts(thread);
            parts.add(() -> {
                start.await();
                return writeFor(slice, player.write(), accounts);
            });
        }
        List<Turn> turns = new ArrayList<>();
        for (Future<Turn> part : threads.invokeAll(parts)) {
            turns.add(part.get());
        }
        return turns;
    }

    private static Turn writeFor(Duration slice, Write write, List<Account> accounts) throws Exception {
        Latencies latencies = new Latencies();
        long start = System.nanoTime();
        long now = start;
        for (int i = 0; now - start < slice.toNanos(); i++) {
            write.to(accounts.get(i % accounts.size()));
            long end = System.nanoTime();
            latencies.add(end - now);
            now = end;
        }
        return new Turn(latencies.size() * 1e9 / (now - start), latencies);
    }

    @Override
    public void close() {
        threads.shutdownNow();
        players.forEach(player -> player.pool().close());
    }
}
