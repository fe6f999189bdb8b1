package dev.fence.s3;

import dev.fence.UnsupportedStoreException;
import dev.fence.spi.SafeEvents;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * One bucket at one endpoint, and whether it was probed in this process.
 *
 * @param slots what fences and readers use
 * @param endpoint and {@code bucket} identify the store
 */
record Stores(Slots slots, String endpoint, String bucket) {

    private record Id(String endpoint, String bucket, String prefix) {}

    /** Stores that have passed. Those that failed are probed again: their set-up may have been fixed. */
    private static final Map<Id, ProbeReport> PASSED = new ConcurrentHashMap<>();

    static Stores of(S3Client client, String bucket, S3FenceSettings settings) {
        return of(new SyncCalls(client), bucket, settings, Patience.Clock.SYSTEM);
    }

    static Stores of(S3AsyncClient client, String bucket, S3FenceSettings settings) {
        AsyncCalls calls = new AsyncCalls(client, settings.requestTimeout().multipliedBy(2));
        return of(calls, bucket, settings, Patience.Clock.SYSTEM);
    }

    static Stores of(S3Calls calls, String bucket, S3FenceSettings settings, Patience.Clock clock) {
        Limits.bucket(bucket);
        Consumer<AwsRequestOverrideConfiguration.Builder> limits =
                override -> override.apiCallTimeout(settings.requestTimeout());
        SdkObjectStore store = new SdkObjectStore(calls, bucket, limits);
        Payloads payloads = new Payloads(calls, bucket, limits, () -> new Patience(clock, settings.patience()));
        Slots slots = new Slots(store, payloads, settings, SafeEvents.of(settings.events()), clock);
        return new Stores(slots, calls.endpoint(), bucket);
    }

    /** @throws UnsupportedStoreException if a check failed; names it */
    void requireProbed() {
        Id id = new Id(endpoint, bucket, slots.settings().prefix());
        if (PASSED.containsKey(id)) {
            return;
        }
        ProbeReport report = probe();
        if (!report.passed()) {
            throw new UnsupportedStoreException(report.toString(), null);
        }
        PASSED.put(id, report);
    }

    ProbeReport probe() {
        return new Probe(slots, endpoint, bucket).run();
    }
}
