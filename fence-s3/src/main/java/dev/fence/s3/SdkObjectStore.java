package dev.fence.s3;

import java.io.IOException;
import java.io.OutputStream;
import java.util.function.Consumer;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/** One bucket behind the SDK. Each request is bounded by a time limit of its own, whatever the client is set to. */
final class SdkObjectStore implements ObjectStore {

    /** What is left unread up to here is read to the end, which keeps the connection; more is cut off. */
    private static final int DRAIN_BYTES = 64 * 1024;

    private final S3Calls calls;
    private final String bucket;
    private final Consumer<AwsRequestOverrideConfiguration.Builder> limits;

    SdkObjectStore(S3Calls calls, String bucket, Consumer<AwsRequestOverrideConfiguration.Builder> limits) {
        this.calls = calls;
        this.bucket = bucket;
        this.limits = limits;
    }

    @Override
    public Put put(String key, byte[] bytes, Condition condition) {
        PutObjectRequest.Builder request =
                PutObjectRequest.builder().bucket(bucket).key(key).overrideConfiguration(limits);
        if (condition instanceof Condition.Tag tag) {
            request.ifMatch(tag.tag());
        } else {
            request.ifNoneMatch("*");
        }
        try {
            String tag = calls.put(request.build(), bytes);
            return tag.isEmpty()
                    ? new Put.Ambiguous(new IllegalStateException("the store answered without an ETag"))
                    : new Put.Stored(tag);
        } catch (Throwable t) {
            // Throwable: whatever stopped us after the request left, it may have landed.
            return Answers.ofPut(t);
        }
    }

    @Override
    public Get get(String key) {
        GetObjectRequest request = GetObjectRequest.builder()
                .bucket(bucket)
                .key(key)
                .overrideConfiguration(limits)
                .build();
        try (ResponseInputStream<GetObjectResponse> in = calls.get(request)) {
            long length = in.response().contentLength();
            byte[] bytes =
                    in.readNBytes(length > Limits.MAX_SLOT_BYTES ? Envelope.MAX_STAMP_BYTES : Limits.MAX_SLOT_BYTES);
            if (length - bytes.length > DRAIN_BYTES) {
                in.abort();
            } else {
                in.transferTo(OutputStream.nullOutputStream());
            }
            return new Get.Found(in.response().eTag(), bytes, length);
        } catch (IOException e) {
            return new Get.Failed(e);
        } catch (RuntimeException e) {
            return Answers.ofGet(e);
        }
    }
}
