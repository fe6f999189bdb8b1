package dev.fence.s3;

import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The objects of the fake store, and the one place where its conditions are evaluated. */
final class FakeObjects {

    private static final long CHECK_THEN_ACT_NANOS = Duration.ofMillis(3).toNanos();
    private static final int PAGE = 3;

    /** An object, and the one that it replaced. */
    @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
    record Stored(byte[] bytes, String tag, Instant modified, byte @Nullable [] before) {}

    private final Set<FakeS3.Bend> bends;
    private final ConcurrentSkipListMap<String, Stored> objects = new ConcurrentSkipListMap<>();
    private final Map<String, String> removedTags = new ConcurrentHashMap<>();
    private final Map<String, Object> locks = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> inFlight = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> writes = new ConcurrentHashMap<>();
    private final Map<String, SortedMap<Integer, byte[]>> uploads = new ConcurrentHashMap<>();
    private final AtomicLong partBytes = new AtomicLong();
    private volatile Duration aged = Duration.ZERO;

    FakeObjects(Set<FakeS3.Bend> bends) {
        this.bends = bends;
    }

    /** What is stored under a key of any bucket; null if nothing is. */
    byte @Nullable [] bytes(String key) {
        Stored stored = objects.get(key);
        return stored == null ? null : stored.bytes();
    }

    /** How often something was stored under the key. */
    int writes(String key) {
        return writes.computeIfAbsent(key, k -> new AtomicInteger()).get();
    }

    /** Whoever does not use fence. */
    void overwrite(String key, byte[] bytes) {
        synchronized (lock(key)) {
            store(key, bytes);
        }
    }

    void remove(String key) {
        synchronized (lock(key)) {
            Stored removed = objects.remove(key);
            if (removed != null) {
                removedTags.put(key, removed.tag());
            }
        }
    }

    Set<String> keys() {
        return Set.copyOf(objects.keySet());
    }

    int openUploads() {
        return uploads.size();
    }

    /** How many bytes all parts of uploads had. */
    long partBytes() {
        return partBytes.get();
    }

    void age(Duration by) {
        aged = aged.plus(by);
    }

    FakeAnswer answer(FakeRequest request) {
        return switch (request.method()) {
            case "GET" -> request.key().isEmpty() ? list(request) : get(request.key());
            case "HEAD" -> get(request.key());
            case "PUT" -> request.query().containsKey("uploadId") ? part(request) : put(request, request.body());
            case "POST" -> request.query().containsKey("uploads") ? begin(request) : complete(request);
            case "DELETE" -> delete(request);
            default -> FakeAnswer.error(405, "MethodNotAllowed");
        };
    }

    private FakeAnswer get(String key) {
        Stored stored = objects.get(key);
        if (stored == null) {
            return FakeAnswer.error(404, "NoSuchKey");
        }
        byte[] before = stored.before();
        return bends.contains(FakeS3.Bend.READS_LAG_BEHIND) && before != null
                ? FakeAnswer.object(new Stored(before, tag(before), stored.modified(), null))
                : FakeAnswer.object(stored);
    }

    private FakeAnswer put(FakeRequest request, byte[] bytes) {
        if (bends.contains(FakeS3.Bend.CHECKS_THEN_ACTS)) {
            FakeAnswer refusal = refusal(request);
            LockSupport.parkNanos(CHECK_THEN_ACT_NANOS); // the width of this store's window
            return refusal == null ? store(request.key(), bytes) : refusal;
        }
        inFlight(request.key()).incrementAndGet();
        try {
            synchronized (lock(request.key())) {
                FakeAnswer refusal = refusal(request);
                return refusal == null ? store(request.key(), bytes) : refuse(request.key(), bytes, refusal);
            }
        } finally {
            inFlight(request.key()).decrementAndGet();
        }
    }

    private FakeAnswer refuse(String key, byte[] bytes, FakeAnswer refusal) {
        if (bends.contains(FakeS3.Bend.STORES_WHAT_IT_REFUSES)) {
            store(key, bytes);
        }
        return bends.contains(FakeS3.Bend.ANSWERS_200_TO_WHAT_IT_REFUSES) ? FakeAnswer.ok(tag(bytes)) : refusal;
    }

    private FakeAnswer store(String key, byte[] bytes) {
        Stored before = objects.get(key);
        Stored stored = new Stored(bytes, tag(bytes), Instant.now(), before == null ? null : before.bytes());
        objects.put(key, stored);
        writes.computeIfAbsent(key, k -> new AtomicInteger()).incrementAndGet();
        return FakeAnswer.ok(stored.tag());
    }

    /** Why the conditions of a request do not hold; null if they do. */
    private @Nullable FakeAnswer refusal(FakeRequest request) {
        String ifMatch = request.ifMatch();
        if (bends.contains(FakeS3.Bend.ANSWERS_501_TO_CONDITIONS)) {
            return FakeAnswer.error(501, "NotImplemented");
        }
        Stored present = objects.get(request.key());
        if (request.ifNoneMatch() != null && !bends.contains(FakeS3.Bend.IGNORES_IF_NONE_MATCH) && present != null) {
            return failed(request.key());
        }
        if (ifMatch == null || bends.contains(FakeS3.Bend.IGNORES_IF_MATCH)) {
            return null;
        }
        if (present == null) {
            return missing(request.key(), ifMatch);
        }
        String wanted =
                bends.contains(FakeS3.Bend.WANTS_TAGS_UNQUOTED) ? present.tag().replace("\"", "") : present.tag();
        return wanted.equals(ifMatch) ? null : failed(request.key());
    }

    private @Nullable FakeAnswer missing(String key, String ifMatch) {
        boolean holds = bends.contains(FakeS3.Bend.CREATES_ON_IF_MATCH_AT_MISSING_KEY)
                || (bends.contains(FakeS3.Bend.REMEMBERS_TAGS_OF_REMOVED_OBJECTS)
                        && ifMatch.equals(removedTags.get(key)));
        if (holds) {
            return null;
        }
        return bends.contains(FakeS3.Bend.ANSWERS_412_AT_MISSING_KEY)
                ? FakeAnswer.error(412, "PreconditionFailed")
                : FakeAnswer.error(404, "NoSuchKey");
    }

    private FakeAnswer failed(String key) {
        if (bends.contains(FakeS3.Bend.ANSWERS_304_INSTEAD_OF_412)) {
            return FakeAnswer.error(304, "NotModified");
        }
        boolean raced = inFlight(key).get() > 1;
        if (raced && bends.contains(FakeS3.Bend.ANSWERS_409_TO_LOST_RACES)) {
            return FakeAnswer.error(409, "ConditionalRequestConflict");
        }
        if (raced && bends.contains(FakeS3.Bend.ANSWERS_500_TO_LOST_RACES)) {
            return FakeAnswer.error(500, "InternalError");
        }
        return FakeAnswer.error(412, "PreconditionFailed");
    }

    private FakeAnswer delete(FakeRequest request) {
        if (request.query().containsKey("uploadId")) {
            uploads.remove(request.query().get("uploadId"));
        } else {
            remove(request.key());
        }
        return FakeAnswer.nothing();
    }

    private FakeAnswer list(FakeRequest request) {
        String prefix = request.query().getOrDefault("prefix", "");
        String after = request.query().getOrDefault("continuation-token", prefix);
        Map<String, Stored> page =
                objects.tailMap(after, request.query().get("continuation-token") == null).entrySet().stream()
                        .filter(e -> e.getKey().startsWith(prefix))
                        .limit(PAGE)
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (a, b) -> a, TreeMap::new));
        String contents = page.entrySet().stream()
                .map(e -> "<Contents><Key>" + e.getKey() + "</Key><Size>"
                        + e.getValue().bytes().length
                        + "</Size><LastModified>"
                        + e.getValue().modified().minus(aged).truncatedTo(ChronoUnit.MILLIS)
                        + "</LastModified></Contents>")
                .collect(Collectors.joining());
        boolean more = page.size() == PAGE;
        String next = more
                ? "<NextContinuationToken>" + ((TreeMap<String, Stored>) page).lastKey() + "</NextContinuationToken>"
                : "";
        return FakeAnswer.xml(
                "<ListBucketResult><IsTruncated>" + more + "</IsTruncated>" + next + contents + "</ListBucketResult>");
    }

    private FakeAnswer begin(FakeRequest request) {
        String id = UUID.randomUUID().toString();
        uploads.put(id, new TreeMap<>());
        return FakeAnswer.xml("<InitiateMultipartUploadResult><Bucket>" + request.bucket() + "</Bucket><Key>"
                + request.key() + "</Key><UploadId>" + id + "</UploadId></InitiateMultipartUploadResult>");
    }

    private FakeAnswer part(FakeRequest request) {
        SortedMap<Integer, byte[]> parts = uploads.get(request.query().get("uploadId"));
        if (parts == null) {
            return FakeAnswer.error(404, "NoSuchUpload");
        }
        boolean counted = bends.contains(FakeS3.Bend.COUNTS_PARTS_ALONE);
        parts.put(Integer.valueOf(request.query().get("partNumber")), counted ? new byte[0] : request.body());
        partBytes.addAndGet(request.body().length);
        return FakeAnswer.ok(tag(request.body()));
    }

    private FakeAnswer complete(FakeRequest request) {
        String id = request.query().get("uploadId");
        SortedMap<Integer, byte[]> parts = uploads.get(id);
        if (parts == null) {
            return FakeAnswer.error(404, "NoSuchUpload");
        }
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        parts.values().forEach(whole::writeBytes);
        FakeAnswer stored = put(request, whole.toByteArray());
        if (!stored.isSuccess()) {
            return stored;
        }
        uploads.remove(id);
        return FakeAnswer.xml("<CompleteMultipartUploadResult><Key>" + request.key() + "</Key><ETag>" + stored.tag()
                + "</ETag></CompleteMultipartUploadResult>");
    }

    private AtomicInteger inFlight(String key) {
        return inFlight.computeIfAbsent(key, k -> new AtomicInteger());
    }

    private Object lock(String key) {
        return locks.computeIfAbsent(key, k -> new Object());
    }

    private String tag(byte[] bytes) {
        if (bends.contains(FakeS3.Bend.GIVES_ALL_THE_SAME_TAG)) {
            return "\"same\"";
        }
        try {
            return "\""
                    + HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(bytes)) + "\"";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
