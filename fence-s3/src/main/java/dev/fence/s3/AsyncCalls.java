package dev.fence.s3;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.s3.S3AsyncClient;
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
import software.amazon.awssdk.services.s3.model.UploadPartRequest;
import software.amazon.awssdk.services.s3.model.UploadPartResponse;

/** The calls on an asynchronous client. The caller's thread waits for each, for {@code longest} at the most. */
record AsyncCalls(S3AsyncClient client, Duration longest) implements S3Calls {

    @Override
    public String put(PutObjectRequest request, byte[] body) {
        String tag = await(client.putObject(request, AsyncRequestBody.fromBytesUnsafe(body)))
                .eTag();
        return tag == null ? "" : tag;
    }

    @Override
    public ResponseInputStream<GetObjectResponse> get(GetObjectRequest request) {
        return await(client.getObject(request, AsyncResponseTransformer.toBlockingInputStream()));
    }

    @Override
    public long length(HeadObjectRequest request) {
        return await(client.headObject(request)).contentLength();
    }

    @Override
    public void delete(DeleteObjectRequest request) {
        await(client.deleteObject(request));
    }

    @Override
    public ListObjectsV2Response list(ListObjectsV2Request request) {
        return await(client.listObjectsV2(request));
    }

    @Override
    public CreateMultipartUploadResponse create(CreateMultipartUploadRequest request) {
        return await(client.createMultipartUpload(request));
    }

    @Override
    public UploadPartResponse part(UploadPartRequest request, byte[] body) {
        return await(client.uploadPart(request, AsyncRequestBody.fromBytesUnsafe(body)));
    }

    @Override
    public void complete(CompleteMultipartUploadRequest request) {
        await(client.completeMultipartUpload(request));
    }

    @Override
    public void abort(AbortMultipartUploadRequest request) {
        await(client.abortMultipartUpload(request));
    }

    @Override
    public String endpoint() {
        return client.serviceClientConfiguration()
                .endpointOverride()
                .map(URI::toString)
                .orElse("S3 in " + client.serviceClientConfiguration().region());
    }

    private <T> T await(CompletableFuture<T> call) {
        try {
            return call.get(longest.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException thrown) {
                throw thrown; // the SDK's own, which carries the number of attempts
            }
            throw SdkClientException.create("the call failed", e.getCause());
        } catch (TimeoutException e) {
            call.cancel(true);
            throw SdkClientException.create("no answer within " + longest, e);
        } catch (InterruptedException e) {
            call.cancel(true);
            Thread.currentThread().interrupt();
            throw AbortedException.create("interrupted while waiting for the answer", e);
        }
    }
}
