package dev.fence.s3;

import dev.fence.Lease;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * What a fenced write costs beside a plain PUT of the same value: requests, bytes, and the ratio of the median times, taken in
 * turns so that both see the same machine. {@code script/bench s3} runs it, on the fake store or on the endpoint that
 * {@code FENCE_S3_ENDPOINT} and {@code FENCE_S3_BUCKET} name.
 */
final class Benchmark {

    private static final int VALUE_BYTES = 64 * 1024;
    private static final int THREADS = 4;

    /** One design's figures; ratios are to the plain PUT. */
    private record Result(String design, double requestsPerWrite, double bytesPerWrite, double p50Ratio) {
        String json() {
            return String.format(
                    Locale.ROOT,
                    "{\"design\":\"%s\",\"requestsPerWrite\":%.3f,\"bytesPerWrite\":%.0f,\"p50Ratio\":%.3f}",
                    design,
                    requestsPerWrite,
                    bytesPerWrite,
                    p50Ratio);
        }
    }

    /** A write to be measured. */
    private interface Write {
        void run();
    }

    /** Counts what goes over the wire. */
    private static final class Wire implements ExecutionInterceptor {
        private final AtomicLong requests = new AtomicLong();
        private final AtomicLong bytes = new AtomicLong();

        @Override
        public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
            requests.incrementAndGet();
            context.httpRequest()
                    .firstMatchingHeader("x-amz-decoded-content-length")
                    .or(() -> context.httpRequest().firstMatchingHeader("Content-Length"))
                    .ifPresent(length -> bytes.addAndGet(Long.parseLong(length)));
        }
    }

    private final Wire wire;
    private final S3Client client;
    private final String bucket;
    private final int rounds;
    private final byte[] value = new byte[VALUE_BYTES];
    private final Map<String, long[]> times = new TreeMap<>();
    private final List<Result> results = new ArrayList<>();

    private Benchmark(S3Client client, Wire wire, String bucket, boolean quick) {
        this.client = client;
        this.wire = wire;
        this.bucket = bucket;
        this.rounds = quick ? 300 : 3000;
    }

    public static void main(String[] args) throws Exception {
        List<String> options = Arrays.asList(args);
        String named = System.getenv("FENCE_S3_ENDPOINT");
        String bucket = System.getenv().getOrDefault("FENCE_S3_BUCKET", "bench");
        int json = options.indexOf("--json");
        Wire wire = new Wire();
        try (FakeS3 fake = new FakeS3();
                S3Client client = Clients.counted(named == null ? fake.endpoint() : URI.create(named), wire)) {
            if (named != null) {
                Clients.requireBucket(client, bucket);
            }
            String result = new Benchmark(client, wire, bucket, options.contains("--quick")).run();
            System.out.println(result);
            if (json >= 0) {
                Files.writeString(Path.of(options.get(json + 1)), result + "\n");
            }
        }
    }

    private String run() throws Exception {
        try (Holders holders = new Holders("bench", "bench")) {
            String folder = "bench/" + UUID.randomUUID() + "/";
            S3Fence fence = S3Fence.on(client, bucket);
            Lease lease = holders.next();
            Map<String, Write> writes = new TreeMap<>();
            writes.put(
                    "plain-put",
                    () -> client.putObject(r -> r.bucket(bucket).key(folder + "plain"), RequestBody.fromBytes(value)));
            ObjectWriter put = sealed(fence, lease, folder + "put");
            writes.put("fence-put", () -> put.write(slot -> slot.put(value)));
            ObjectWriter update = sealed(fence, lease, folder + "update");
            writes.put("fence-update", () -> update.update(present -> value));
            inTurns(writes);
            contended("fence-put-4-threads", sealed(fence, lease, folder + "contended"), false);
            contended("fence-update-4-threads", sealed(fence, lease, folder + "contended-update"), true);
        }
        return results.stream().map(Result::json).collect(Collectors.joining(",\n  ", "{\"results\":[\n  ", "\n]}"));
    }

    private static ObjectWriter sealed(S3Fence fence, Lease lease, String resource) {
        fence.create(lease, resource);
        return fence.seal(lease, resource);
    }

    private void inTurns(Map<String, Write> writes) {
        Map<String, long[]> requests = new TreeMap<>();
        writes.forEach((design, write) -> {
            times.put(design, new long[rounds]);
            requests.put(design, new long[2]);
        });
        for (int round = -rounds / 3; round < rounds; round++) { // the first ones warm up
            for (Map.Entry<String, Write> write : writes.entrySet()) {
                long requestsBefore = wire.requests.get();
                long bytesBefore = wire.bytes.get();
                long start = System.nanoTime();
                write.getValue().run();
                if (round >= 0) {
                    at(times, write.getKey())[round] = System.nanoTime() - start;
                    at(requests, write.getKey())[0] += wire.requests.get() - requestsBefore;
                    at(requests, write.getKey())[1] += wire.bytes.get() - bytesBefore;
                }
            }
        }
        long plain = median(at(times, "plain-put"));
        writes.keySet()
                .forEach(design -> results.add(new Result(
                        design,
                        at(requests, design)[0] / (double) rounds,
                        at(requests, design)[1] / (double) rounds,
                        median(at(times, design)) / (double) plain)));
    }

    /** Threads of one holder on one object: what more than one request per write (two per update) are, are retries. */
    private void contended(String design, ObjectWriter writer, boolean update) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        long requestsBefore = wire.requests.get();
        long bytesBefore = wire.bytes.get();
        int each = rounds / THREADS / 3;
        long[] taken = new long[each * THREADS];
        try {
            List<Future<?>> workers = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                int first = t * each;
                workers.add(threads.submit(() -> {
                    for (int i = 0; i < each; i++) {
                        long start = System.nanoTime();
                        if (update) {
                            writer.update(present -> value);
                        } else {
                            writer.write(slot -> slot.put(value));
                        }
                        taken[first + i] = System.nanoTime() - start;
                    }
                }));
            }
            for (Future<?> worker : workers) {
                worker.get(10, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
        double count = taken.length;
        results.add(new Result(
                design,
                (wire.requests.get() - requestsBefore) / count,
                (wire.bytes.get() - bytesBefore) / count,
                median(taken) / (double) median(at(times, "plain-put"))));
    }

    private static long[] at(Map<String, long[]> map, String design) {
        long @Nullable [] values = map.get(design);
        if (values == null) {
            throw new IllegalStateException(design);
        }
        return values;
    }

    private static long median(long[] values) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
