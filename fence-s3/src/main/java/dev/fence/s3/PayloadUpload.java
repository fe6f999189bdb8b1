package dev.fence.s3;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.AbortMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;

/**
 * Stores a payload under a key that nobody else uses, in one request or in parts, with one part in memory at a time. Since
 * the key is unique, an object that is found there after a lost answer is ours.
 */
final class PayloadUpload {

    private static final Logger LOG = LoggerFactory.getLogger(PayloadUpload.class);
    static final int SMALLEST_PART_BYTES = 8 * 1024 * 1024;
    private static final int MOST_PARTS = 10_000;

    private final S3Calls calls;
    private final String bucket;
    private final String key;
    private final Consumer<AwsRequestOverrideConfiguration.Builder> limits;
    private final Supplier<Patience> patience;

    PayloadUpload(
            S3Calls calls,
            String bucket,
            String key,
            Consumer<AwsRequestOverrideConfiguration.Builder> limits,
            Supplier<Patience> patience) {
        this.calls = calls;
        this.bucket = bucket;
        this.key = key;
        this.limits = limits;
        this.patience = patience;
    }

    /**
     * @throws IllegalArgumentException if the source has more or fewer bytes than it said; nothing is left behind
     * @throws UncheckedIOException if the source cannot be read; nothing is left behind
     */
    void run(Payload payload) {
        try (InputStream in = payload.source().open()) {
            if (payload.length() <= SMALLEST_PART_BYTES) {
                whole(part(in, payload, 0, (int) payload.length()));
                payload.progress().sent(payload.length(), payload.length());
            } else {
                inParts(in, payload);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the payload cannot be read", e);
        }
    }

    private void whole(byte[] bytes) {
        PutObjectRequest request = PutObjectRequest.builder()
                .bucket(bucket)
                .key(key)
                .ifNoneMatch("*")
                .overrideConfiguration(limits)
                .build();
        Requests.repeat(
                "upload \"" + key + "\"",
                patience.get(),
                () -> orIsThere(bytes.length, () -> {
                    calls.put(request, bytes);
                }));
    }

    private void inParts(InputStream in, Payload payload) throws IOException {
        int partBytes = partBytes(payload.length());
        String upload = Requests.repeat(
                "begin the upload of \"" + key + "\"",
                patience.get(),
                () -> calls.create(CreateMultipartUploadRequest.builder()
                                .bucket(bucket)
                                .key(key)
                                .overrideConfiguration(limits)
                                .build())
                        .uploadId());
        boolean completed = false;
        try {
            List<CompletedPart> parts = new ArrayList<>();
            for (long sent = 0; sent < payload.length(); ) {
                byte[] bytes = part(in, payload, sent, (int) Math.min(partBytes, payload.length() - sent));
                parts.add(send(upload, parts.size() + 1, bytes));
                sent += bytes.length;
                payload.progress().sent(sent, payload.length());
            }
            complete(upload, parts, payload.length());
            completed = true;
        } finally {
            if (!completed) {
                abort(upload);
            }
        }
    }

    /** At least the smallest, and large enough that the number of parts does not exceed what S3 permits. */
    static int partBytes(long length) {
        return (int) Math.max(SMALLEST_PART_BYTES, (length + MOST_PARTS - 1) / MOST_PARTS);
    }

    private CompletedPart send(String upload, int number, byte[] bytes) {
        UploadPartRequest request = UploadPartRequest.builder()
                .bucket(bucket)
                .key(key)
                .uploadId(upload)
                .partNumber(number)
                .overrideConfiguration(limits)
                .build();
        String tag = Requests.repeat(
                "upload part " + number + " of \"" + key + "\"",
                patience.get(),
                () -> calls.part(request, bytes).eTag());
        return CompletedPart.builder().partNumber(number).eTag(tag).build();
    }

    private void complete(String upload, List<CompletedPart> parts, long length) {
        CompleteMultipartUploadRequest request = CompleteMultipartUploadRequest.builder()
                .bucket(bucket)
                .key(key)
                .uploadId(upload)
                .ifNoneMatch("*")
                .multipartUpload(all -> all.parts(parts))
                .overrideConfiguration(limits)
                .build();
        Requests.repeat(
                "complete the upload of \"" + key + "\"",
                patience.get(),
                () -> orIsThere(length, () -> {
                    calls.complete(request);
                }));
    }

    /** After a failure, the object may be there all the same: by an answer that was lost, or a repetition by the SDK. */
    private Boolean orIsThere(long length, Runnable request) {
        try {
            request.run();
            return Boolean.TRUE;
        } catch (SdkException e) {
            if (isThere(length)) {
                return Boolean.TRUE;
            }
            throw e;
        }
    }

    private boolean isThere(long length) {
        try {
            return calls.length(HeadObjectRequest.builder()
                            .bucket(bucket)
                            .key(key)
                            .overrideConfiguration(limits)
                            .build())
                    == length;
        } catch (NoSuchKeyException e) {
            return false;
        } catch (S3Exception e) {
            if (e.statusCode() == 404) {
                return false;
            }
            throw e;
        }
    }

    private void abort(String upload) {
        try {
            calls.abort(AbortMultipartUploadRequest.builder()
                    .bucket(bucket)
                    .key(key)
                    .uploadId(upload)
                    .overrideConfiguration(limits)
                    .build());
        } catch (SdkException e) {
            LOG.warn("the unfinished upload {} of {} could not be removed; a lifecycle rule should", upload, key, e);
        }
    }

    private static byte[] part(InputStream in, Payload payload, long sent, int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        boolean last = sent + length == payload.length();
        if (bytes.length < length || (last && in.read() >= 0)) {
            throw new IllegalArgumentException("the payload's source has " + (bytes.length < length ? "fewer" : "more")
                    + " bytes than the " + payload.length() + " that were named");
        }
        return bytes;
    }
}
