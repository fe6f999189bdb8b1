package dev.fence.s3;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.services.s3.model.AbortMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.DeleteObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;
import software.amazon.awssdk.services.s3.model.UploadPartResponse;

/**
 * One object in memory, behind the calls of the SDK, with atomic conditions and tags that are hashes of the bytes. Before and
 * after each request another actor of the timeline may go on; and the timeline chooses what goes wrong: requests that are
 * lost, late or in conflict, answers that are lost, repetitions by the SDK.
 */
final class SimulatedS3 implements S3Calls {

    /** What was stored, in the order in which it was. */
    @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
    record Version(byte[] bytes, String tag, Map<String, String> metadata) {}

    private final Timeline timeline;
    private final AtomicLong nanos = new AtomicLong();
    private final List<Version> versions = new ArrayList<>();
    private final List<Runnable> late = new ArrayList<>();
    private boolean faulty;

    SimulatedS3(Timeline timeline) {
        this.timeline = timeline;
    }

    Patience.Clock clock() {
        return new Patience.Clock(
                nanos::get, nanos::addAndGet, (least, bound) -> least + timeline.choose((int) (bound - least)));
    }

    void faulty(boolean yes) {
        faulty = yes;
    }

    List<Version> versions() {
        return versions;
    }

    /** What was late arrives now. */
    void releaseLate() {
        late.forEach(Runnable::run);
        late.clear();
    }

    @Override
    public String put(PutObjectRequest request, byte[] body) {
        before();
        int fault = faulty ? timeline.choose(16) : 15;
        switch (fault) {
            case 0 -> throw dropped();
            case 1 -> {
                late.add(() -> tryStore(request, body));
                throw dropped();
            }
            case 2 -> throw error(409, 1);
            case 3 -> {
                tryStore(request, body);
                throw timeline.choose(2) == 0 ? dropped() : error(500, 1);
            }
            case 4 -> {
                // The SDK repeats by itself, while others go on; whatever comes of it is the second attempt's answer.
                tryStore(request, body);
                before();
                String tag = tryStore(request, body);
                if (tag == null) {
                    throw error(412, 2);
                }
                return tag;
            }
            default -> {
                String tag = tryStore(request, body);
                timeline.step();
                if (tag == null) {
                    throw error(412, 1);
                }
                return tag;
            }
        }
    }

    @Override
    public ResponseInputStream<GetObjectResponse> get(GetObjectRequest request) {
        before();
        if (faulty && timeline.choose(5) == 0) {
            throw timeline.choose(2) == 0 ? dropped() : error(503, 1);
        }
        if (versions.isEmpty()) {
            throw error(404, 1);
        }
        Version newest = versions.get(versions.size() - 1);
        timeline.step();
        return new ResponseInputStream<>(
                GetObjectResponse.builder()
                        .eTag(newest.tag())
                        .contentLength((long) newest.bytes().length)
                        .metadata(newest.metadata())
                        .build(),
                AbortableInputStream.create(new ByteArrayInputStream(newest.bytes())));
    }

    private void before() {
        nanos.addAndGet(10_000_000);
        timeline.step();
        if (!late.isEmpty() && timeline.choose(4) == 0) {
            late.remove(timeline.choose(late.size())).run();
        }
    }

    /** Null if the condition does not hold. */
    private @Nullable String tryStore(PutObjectRequest request, byte[] body) {
        String present =
                versions.isEmpty() ? null : versions.get(versions.size() - 1).tag();
        boolean holds = request.ifNoneMatch() != null
                ? present == null
                : request.ifMatch().equals(present);
        if (!holds) {
            return null;
        }
        versions.add(new Version(body, tag(body), request.metadata()));
        return tag(body);
    }

    private static String tag(byte[] bytes) {
        return UUID.nameUUIDFromBytes(bytes).toString();
    }

    private static SdkClientException dropped() {
        return SdkClientException.builder().message("dropped").numAttempts(1).build();
    }

    private static S3Exception error(int status, int attempts) {
        return (S3Exception) S3Exception.builder()
                .statusCode(status)
                .numAttempts(attempts)
                .message("simulated " + status)
                .awsErrorDetails(
                        AwsErrorDetails.builder().errorCode("Simulated").build())
                .build();
    }

    @Override
    public String endpoint() {
        return "simulated";
    }

    @Override
    public long length(HeadObjectRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void delete(DeleteObjectRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ListObjectsV2Response list(ListObjectsV2Request request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CreateMultipartUploadResponse create(CreateMultipartUploadRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public UploadPartResponse part(UploadPartRequest request, byte[] body) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void complete(CompleteMultipartUploadRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void abort(AbortMultipartUploadRequest request) {
        throw new UnsupportedOperationException();
    }
}
