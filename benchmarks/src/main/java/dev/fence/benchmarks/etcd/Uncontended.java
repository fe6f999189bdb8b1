package dev.fence.benchmarks.etcd;

import dev.fence.Lease;
import dev.fence.Leases;
import io.etcd.jetcd.api.lock.LockResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Acquiring beside a bare put, and giving back beside a bare delete, in turns. */
final class Uncontended {

    private Uncontended() {}

    static List<Result> measure(Etcd etcd, Leases leases, int rounds) throws Exception {
        Samples acquire = new Samples();
        Samples release = new Samples();
        long session = etcd.lease();
        for (int i = -rounds / 4; i < rounds; i++) {
            if (i == 0) {
                acquire.clear();
                release.clear();
            }
            String name = "bench-" + i;
            Lease[] lease = new Lease[1];
            LockResponse[] lock = new LockResponse[1];
            acquire.time("bare put", () -> etcd.put(name, session));
            acquire.time("fence", () -> lease[0] = leases.acquire(name, Duration.ofSeconds(10)));
            acquire.time(
                    "etcd's lock service",
                    () -> lock[0] = etcd.lock("lock-" + name, session).get(10, TimeUnit.SECONDS));
            release.time("bare delete", () -> etcd.delete(name));
            release.time("fence", () -> lease[0].close());
            release.time("etcd's lock service", () -> etcd.unlock(lock[0].getKey()));
        }
        List<Result> results = new ArrayList<>(acquire.medians("acquire, uncontended"));
        results.addAll(release.medians("release, uncontended"));
        return results;
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
        return times.medians("one command under a lock");
    }
}
