package dev.fence.s3;

import java.net.URI;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.services.s3.S3Client;
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

/** The calls on a synchronous client. */
record SyncCalls(S3Client client) implements S3Calls {

    @Override
    public String put(PutObjectRequest request, byte[] body) {
        String tag = client.putObject(request, body(body)).eTag();
        return tag == null ? "" : tag;
    }

    @Override
    public ResponseInputStream<GetObjectResponse> get(GetObjectRequest request) {
        return client.getObject(request);
    }

    @Override
    public long length(HeadObjectRequest request) {
        return client.headObject(request).contentLength();
    }

    @Override
    public void delete(DeleteObjectRequest request) {
        client.deleteObject(request);
    }

    @Override
    public ListObjectsV2Response list(ListObjectsV2Request request) {
        return client.listObjectsV2(request);
    }

    @Override
    public CreateMultipartUploadResponse create(CreateMultipartUploadRequest request) {
        return client.createMultipartUpload(request);
    }

    @Override
    public UploadPartResponse part(UploadPartRequest request, byte[] body) {
        return client.uploadPart(request, body(body));
    }

    @Override
    public void complete(CompleteMultipartUploadRequest request) {
        client.completeMultipartUpload(request);
    }

    @Override
    public void abort(AbortMultipartUploadRequest request) {
        client.abortMultipartUpload(request);
    }

    @Override
    public String endpoint() {
        return client.serviceClientConfiguration()
                .endpointOverride()
                .map(URI::toString)
                .orElse("S3 in " + client.serviceClientConfiguration().region());
    }

    /** Without a copy: nobody changes the bytes while they are sent. */
    private static RequestBody body(byte[] bytes) {
        return RequestBody.fromContentProvider(
                ContentStreamProvider.fromByteArrayUnsafe(bytes), bytes.length, "application/octet-stream");
    }
}
