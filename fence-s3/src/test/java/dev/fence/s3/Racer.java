package dev.fence.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fence.BusyException;
import dev.fence.Grant;
import dev.fence.OutcomeUnknownException;
import dev.fence.StaleTokenException;
import dev.fence.TokenSourceException;
import java.net.URI;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Consumer;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Writes under one grant as long as it is the newest: each write reads the slot and adds one line with the writer's token and
 * an id of its own, so that the value at the end tells all that landed. Says what it was told about each id.
 */
final class Racer {

    private static final Duration LONGEST = Duration.ofMinutes(2);

    private Racer() {}

    /** A process of its own: endpoint, bucket, resource and grant. */
    public static void main(String[] args) {
        try (S3Client client = Clients.withoutRetries(
                URI.create(args[0]), DefaultCredentialsProvider.builder().build())) {
            S3Fence fence = new S3Fence(
                    Stores.of(client, args[1], S3FenceSettings.DEFAULTS).slots());
            race(fence, args[2], Grant.parse(args[3]), System.out::println);
        }
    }

    static void race(S3Fence fence, String resource, Grant grant, Consumer<String> says) {
        ObjectWriter writer = fence.attach(grant, resource);
        long start = System.nanoTime();
        while (System.nanoTime() - start < LONGEST.toNanos()) {
            UUID id = UUID.randomUUID();
            try {
                writer.write(slot -> {
                    String before = slot.read().map(ObjectFenceContract::text).orElse("");
                    slot.put((before + grant.token() + " " + id + "\n").getBytes(UTF_8));
                });
                says.accept("APPLIED " + id);
            } catch (OutcomeUnknownException e) {
                says.accept("UNKNOWN " + id);
            } catch (StaleTokenException e) {
                says.accept("REFUSED " + id);
                return;
            } catch (TokenSourceException | BusyException e) {
                // Not sealed yet, or another racer under the same grant was faster.
                says.accept("REFUSED " + id);
            }
        }
        throw new IllegalStateException("was never superseded");
    }
}
