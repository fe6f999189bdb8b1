package dev.fence.s3;

import dev.fence.FenceEvents;
import dev.fence.spi.Checks;
import java.time.Duration;

/**
 * How a fence talks to its store.
 *
 * @param requestTimeout the longest wait for one request, 100 ms to 1 h
 * @param patience how long one call goes on looking and repeating, from {@code requestTimeout} to 1 h; a request that is
 *     under way when it ends is still waited for
 * @param prefix what all keys begin with: empty, or a folder that ends in a slash, at most 255 UTF-8 bytes
 * @param events who listens
 */
public record S3FenceSettings(Duration requestTimeout, Duration patience, String prefix, FenceEvents events) {

    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofHours(1);

    /** 10 s for a request, 30 s of patience, no prefix, no listener. */
    public static final S3FenceSettings DEFAULTS =
            new S3FenceSettings(Duration.ofSeconds(10), Duration.ofSeconds(30), "", FenceEvents.NONE);

    /** @throws IllegalArgumentException if a value is out of its range */
    public S3FenceSettings {
        Checks.duration("requestTimeout", requestTimeout, SHORTEST, LONGEST);
        Checks.duration("patience", patience, requestTimeout, LONGEST);
        Limits.prefix(prefix);
    }

    public S3FenceSettings withRequestTimeout(Duration newRequestTimeout) {
        return new S3FenceSettings(newRequestTimeout, patience, prefix, events);
    }

    public S3FenceSettings withPatience(Duration newPatience) {
        return new S3FenceSettings(requestTimeout, newPatience, prefix, events);
    }

    public S3FenceSettings withPrefix(String newPrefix) {
        return new S3FenceSettings(requestTimeout, patience, newPrefix, events);
    }

    public S3FenceSettings withEvents(FenceEvents newEvents) {
        return new S3FenceSettings(requestTimeout, patience, prefix, newEvents);
    }
}
