package dev.fence.benchmarks.etcd;

import dev.fence.Lease;
import dev.fence.Leases;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.Lock;
import io.etcd.jetcd.api.lock.LockResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Acquiring beside a bare put, and giving back beside a bare delete.
 *
 * <p>Everybody has a connection of his own and takes {@link #BLOCK} turns in a row, in an order that changes: a connection that
 * rests between two calls is slower, whoever uses it.
 */
final class Uncontended {

    private static final int BLOCK = 20;

    private final Samples acquire = new Samples();
    private final Samples release = new Samples();

    private Uncontended() {}

    /** One turn: something acquired and given back, both timed. */
    private interface Turn {
        void take(String name) throws Exception;
    }

    static List<Result> measure(String where, String endpoint, Leases leases, int rounds) throws Exception {
        try (Etcd put = new Etcd(endpoint);
                Etcd transaction = new Etcd(endpoint);
                Etcd service = new Etcd(endpoint);
                Client jetcd = Client.builder().endpoints(endpoint).build()) {
            Uncontended samples = new Uncontended();
            List<Turn> turns = new ArrayList<>(List.of(
                    samples.put(put),
                    samples.fence(leases),
                    samples.transaction(transaction),
                    samples.service(service),
                    samples.jetcd(jetcd)));
            Random order = new Random(rounds);
            for (int round = -rounds / 4; round < rounds; round++) {
                if (round <= 0) {
                    samples.acquire.clear();
                    samples.release.clear();
                }
                for (Turn turn : turns) {
                    for (int i = 0; i < BLOCK; i++) {
                        turn.take("bench-" + round + "-" + i);
                    }
                }
                Collections.shuffle(turns, order);
            }
            List<Result> results = new ArrayList<>(samples.acquire.medians("acquire, uncontended" + where, "bare put"));
            results.addAll(samples.release.medians("release, uncontended" + where, "bare delete"));
            return results;
        }
    }

    private Turn put(Etcd etcd) {
        long session = etcd.lease();
        return name -> {
            acquire.time("bare put", () -> etcd.put(name, session));
            release.time("bare delete", () -> etcd.delete(name));
        };
    }

    private Turn fence(Leases leases) {
        Lease[] lease = new Lease[1];
        return name -> {
            acquire.time("fence", () -> lease[0] = leases.acquire(name, Duration.ofSeconds(10)));
            release.time("fence", () -> lease[0].close());
        };
    }

    /** What of it is etcd's: a transaction of the same form, sent as the put is. */
    private Turn transaction(Etcd etcd) {
        long session = etcd.lease();
        return name -> {
            acquire.time("such a transaction alone", () -> etcd.putFirst(name, session));
            etcd.delete(name);
        };
    }

    private Turn service(Etcd etcd) {
        long session = etcd.lease();
        LockResponse[] lock = new LockResponse[1];
        return name -> {
            acquire.time(
                    "etcd's lock service",
                    () -> lock[0] = etcd.lock("lock-" + name, session).get(10, TimeUnit.SECONDS));
            release.time("etcd's lock service", () -> etcd.unlock(lock[0].getKey()));
        };
    }

    private Turn jetcd(Client client) throws Exception {
        long session =
                client.getLeaseClient().grant(600).get(10, TimeUnit.SECONDS).getID();
        Lock locks = client.getLockClient();
        io.etcd.jetcd.lock.LockResponse[] lock = new io.etcd.jetcd.lock.LockResponse[1];
        return name -> {
            ByteSequence key = ByteSequence.from("jetcd-" + name, StandardCharsets.UTF_8);
            acquire.time(
                    "jetcd's Lock", () -> lock[0] = locks.lock(key, session).get(10, TimeUnit.SECONDS));
            release.time("jetcd's Lock", () -> locks.unlock(lock[0].getKey()).get(10, TimeUnit.SECONDS));
        };
    }

    /** The command-line lock with a command that does nothing: a process, a session, a lock, and back. */
    static List<Result> commandLine(Path etcdctl, String endpoint, int rounds) throws Exception {
        Samples times = new Samples();
        for (int i = 0; i < rounds; i++) {
            times.time("etcdctl lock", () -> {
                Process process = new ProcessBuilder(
                                etcdctl.toString(), "--endpoints=" + endpoint, "lock", "bench-command", "true")
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
                if (!process.waitFor(30, TimeUnit.SECONDS) || process.exitValue() != 0) {
                    throw new IllegalStateException("etcdctl lock failed");
                }
            });
        }
        return times.medians("one command under a lock", "etcdctl lock");
    }
}
