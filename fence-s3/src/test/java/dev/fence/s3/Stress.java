package dev.fence.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fence.Lease;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * What takes too long for a test: {@code script/stress s3}. Each part prints one line {@code STRESS name passed: …} or
 * {@code STRESS name FAILED: …}.
 */
final class Stress {

    private static final int FEW = 5;
    private static final long SLOW_NANOS = 2_000_000_000L;

    private Stress() {}

    /** The part, how large it is to be, and the seed. */
    public static void main(String[] args) throws Exception {
        long amount = Long.parseLong(args[1]);
        switch (args[0]) {
            case "timelines" -> timelines(amount, Long.parseLong(args[2]));
            case "stream" -> stream(amount);
            case "async" -> async((int) amount);
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    /** As many timelines as asked for, one at a time on each processor. */
    private static void timelines(long count, long seed) throws InterruptedException {
        AtomicLong next = new AtomicLong();
        Map<History.Told, LongAdder> told = new ConcurrentHashMap<>();
        Queue<String> violations = new ConcurrentLinkedQueue<>();
        Thread[] threads = new Thread[Runtime.getRuntime().availableProcessors()];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(
                    () -> {
                        for (long n = next.getAndIncrement(); n < count; n = next.getAndIncrement()) {
                            timeline(seedOf(seed, n), told, violations);
                            if (n > 0 && n % 100_000 == 0) {
                                System.out.println("... " + n + " timelines, " + violations.size() + " violations");
                            }
                        }
                    },
                    "stress-" + t);
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        violations.stream().limit(FEW).forEach(System.out::println);
        report(
                "timelines",
                violations.isEmpty() && !told.isEmpty(),
                count + " from seed " + seed + ", writes told " + told + ", violations " + violations.size());
    }

    private static void timeline(long seed, Map<History.Told, LongAdder> told, Queue<String> violations) {
        try {
            FencedTimeline.Run run = FencedTimeline.run(seed);
            run.writes()
                    .forEach(write -> told.computeIfAbsent(write.told(), k -> new LongAdder())
                            .increment());
            run.violations().forEach(violation -> violations.add("timeline " + seed + ": " + violation));
        } catch (Throwable t) {
            violations.add("timeline " + seed + ": " + t + ", " + t.getCause());
        }
    }

    private static long seedOf(long seed, long n) {
        return new Random(seed + n).nextLong();
    }

    /** Publishes a stream that has more bytes than this process has memory. */
    private static void stream(long bytes) throws Exception {
        AtomicLong told = new AtomicLong();
        long start = System.nanoTime();
        try (FakeS3 store = new FakeS3(FakeS3.Bend.COUNTS_PARTS_ALONE);
                S3Client client = Clients.withoutRetries(store.endpoint(), Clients.TEST_CREDENTIALS);
                Holders holders = new Holders("stress", "stress")) {
            S3Fence fence = S3Fence.on(client, "stress");
            Lease lease = holders.next();
            fence.create(lease, "slot");
            Payload payload = Payload.of(bytes, () -> new Zeros(bytes)).onProgress((sent, total) -> told.set(sent));
            fence.seal(lease, "slot").write(slot -> slot.publish(payload));
            long length = FencedObjects.on(client, "stress", S3FenceSettings.DEFAULTS)
                    .read("slot")
                    .orElseThrow()
                    .length();
            report(
                    "stream",
                    store.objects.partBytes() == bytes && told.get() == bytes && length == bytes,
                    store.objects.partBytes() + " bytes arrived, progress told " + told + ", the slot says " + length
                            + ", heap at most " + Runtime.getRuntime().maxMemory() + " bytes, "
                            + (System.nanoTime() - start) / 1_000_000_000L + " s");
        }
    }

    /** Writes and reads one after the other on the asynchronous client; none may take long. */
    private static void async(int writes) throws Exception {
        long[] taken = new long[writes];
        try (FakeS3 store = new FakeS3();
                S3AsyncClient client = Clients.async(store.endpoint());
                Holders holders = new Holders("stress", "stress")) {
            S3Fence fence = S3Fence.on(client, "stress", S3FenceSettings.DEFAULTS);
            Lease lease = holders.next();
            fence.create(lease, "slot");
            ObjectWriter writer = fence.seal(lease, "slot");
            for (int i = 0; i < writes; i++) {
                byte[] value = ("value " + i).getBytes(UTF_8);
                long start = System.nanoTime();
                if (i % 2 == 0) {
                    writer.write(slot -> slot.put(value));
                } else {
                    writer.update(present -> value);
                }
                taken[i] = System.nanoTime() - start;
            }
        }
        Arrays.sort(taken);
        long slowest = taken[writes - 1];
        report(
                "async",
                slowest < SLOW_NANOS,
                writes + " writes, median " + taken[writes / 2] / 1000 + " us, slowest " + slowest / 1000 + " us");
    }

    private static void report(String part, boolean passed, String seen) {
        System.out.println("STRESS " + part + (passed ? " passed: " : " FAILED: ") + seen);
        if (!passed) {
            System.exit(1);
        }
    }

    /** A stream of zeros that is not in memory. */
    private static final class Zeros extends InputStream {
        private long left;

        Zeros(long length) {
            this.left = length;
        }

        @Override
        public int read() {
            return left-- > 0 ? 0 : -1;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (left <= 0) {
                return -1;
            }
            int count = (int) Math.min(length, left);
            Arrays.fill(bytes, offset, offset + count, (byte) 0);
            left -= count;
            return count;
        }
    }
}
