package dev.fence.s3;

import dev.fence.BusyException;
import dev.fence.Grant;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.DeleteObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Payload objects: immutable, one for each write, under {@code <slot>.fence/<token>/<write id>}. They carry no stamp, since
 * nobody writes one twice and a slot that points at it is needed to reach it.
 */
final class Payloads {

    private static final Logger LOG = LoggerFactory.getLogger(Payloads.class);
    private static final Pattern NAME = Pattern.compile("(\\d{19})/([0-9a-f-]{36})");

    private final S3Calls calls;
    private final String bucket;
    private final Consumer<AwsRequestOverrideConfiguration.Builder> limits;
    private final Supplier<Patience> patience;

    /** A payload that is there. */
    record Uploaded(String key, long length) {}

    Payloads(
            S3Calls calls,
            String bucket,
            Consumer<AwsRequestOverrideConfiguration.Builder> limits,
            Supplier<Patience> patience) {
        this.calls = calls;
        this.bucket = bucket;
        this.limits = limits;
        this.patience = patience;
    }

    Uploaded upload(String slotKey, Grant grant, UUID writeId, Payload payload) {
        String key = folder(slotKey) + String.format("%019d/%s", grant.token().value(), writeId);
        new PayloadUpload(calls, bucket, key, limits, patience).run(payload);
        return new Uploaded(key, payload.length());
    }

    /** What a slot holds, whether in itself or in a payload. */
    Optional<ObjectValue> value(Slots.Slot slot) {
        Stamp stamp = slot.known().stamp();
        if (stamp.content() instanceof Stamp.Content.Payload payload) {
            return Optional.of(
                    ObjectValue.payload(stamp.grant(), payload.length(), () -> open(payload.key(), payload.length())));
        }
        return stamp.content() instanceof Stamp.Content.Value
                ? Optional.of(ObjectValue.inSlot(stamp.grant(), slot.value()))
                : Optional.empty();
    }

    private InputStream open(String key, long length) {
        GetObjectRequest request = GetObjectRequest.builder()
                .bucket(bucket)
                .key(key)
                .overrideConfiguration(limits)
                .build();
        try {
            return calls.get(request);
        } catch (AwsServiceException e) {
            if (Answers.isRejection(e)) {
                throw Commit.rejected(e);
            }
            String why = e.statusCode() == 404 ? "was purged: read the slot anew" : "could not be opened now";
            throw new BusyException("payload \"" + key + "\" of " + length + " bytes " + why, e);
        } catch (SdkException e) {
            throw new BusyException("payload \"" + key + "\" of " + length + " bytes could not be opened now", e);
        }
    }

    /** Removes a payload that nothing points at; if that fails, a purge will. */
    void remove(String key) {
        try {
            delete(key);
        } catch (RuntimeException e) {
            LOG.warn("payload {} is not needed and could not be removed; a purge will", key, e);
        }
    }

    void delete(String key) {
        Requests.repeat("remove \"" + key + "\"", patience.get(), () -> {
            calls.delete(DeleteObjectRequest.builder()
                    .bucket(bucket)
                    .key(key)
                    .overrideConfiguration(limits)
                    .build());
            return key;
        });
    }

    int purge(String slotKey, Stamp stamp, Duration age) {
        String folder = folder(slotKey);
        int removed = 0;
        @Nullable String after = null;
        do {
            String continuation = after;
            ListObjectsV2Response page =
                    Requests.repeat("list \"" + folder + "\"", patience.get(), () -> list(folder, continuation));
            // The header is cut to whole seconds.
            Instant newest = storeTime(page).plusSeconds(1).minus(age);
            for (S3Object object : page.contents()) {
                boolean old = !object.lastModified().isAfter(newest);
                if (old && isNeededNoMore(stamp, folder, object.key())) {
                    delete(object.key());
                    removed++;
                }
            }
            after = page.nextContinuationToken();
        } while (after != null);
        return removed;
    }

    private ListObjectsV2Response list(String folder, @Nullable String continuation) {
        return calls.list(ListObjectsV2Request.builder()
                .bucket(bucket)
                .prefix(folder)
                .continuationToken(continuation)
                .overrideConfiguration(limits)
                .build());
    }

    /**
     * Whether nothing points at the payload and nothing can come to. Either its token is lower than the guard's: the seal took
     * the place of every write that was still on its way. Or its write is listed as landed and replaced. Otherwise its write
     * may be on its way, or its outcome unknown.
     */
    static boolean isNeededNoMore(Stamp stamp, String folder, String key) {
        Matcher name = NAME.matcher(key.substring(folder.length()));
        if (!name.matches()
                || (stamp.content() instanceof Stamp.Content.Payload present
                        && present.key().equals(key))) {
            return false;
        }
        long token = Long.parseLong(name.group(1));
        UUID writeId = UUID.fromString(name.group(2));
        return token < stamp.grant().token().value() || stamp.earlier().contains(writeId);
    }

    private static String folder(String slotKey) {
        return slotKey + Limits.PAYLOAD_FOLDER;
    }

    /** By the clock that also dated the objects. */
    private static Instant storeTime(ListObjectsV2Response page) {
        return page.sdkHttpResponse()
                .firstMatchingHeader("Date")
                .map(date -> ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                        .toInstant())
                .orElseGet(Instant::now);
    }
}
