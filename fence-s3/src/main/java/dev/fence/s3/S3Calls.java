package dev.fence.s3;

import software.amazon.awssdk.core.ResponseInputStream;
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

/** The calls of the SDK that fence makes, on whichever client the application has. They throw what the SDK throws. */
interface S3Calls {

    /** Stores {@code body} and returns the tag, empty if the store gave none. */
    String put(PutObjectRequest request, byte[] body);

    /** An open object; the caller closes it, or aborts it when it does not read to the end. */
    ResponseInputStream<GetObjectResponse> get(GetObjectRequest request);

    long length(HeadObjectRequest request);

    void delete(DeleteObjectRequest request);

    ListObjectsV2Response list(ListObjectsV2Request request);

    CreateMultipartUploadResponse create(CreateMultipartUploadRequest request);

    UploadPartResponse part(UploadPartRequest request, byte[] body);

    void complete(CompleteMultipartUploadRequest request);

    void abort(AbortMultipartUploadRequest request);

    /** Which service the client talks to, for people and as a key of what is known about it. */
    String endpoint();
}
