package dev.fence.s3;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3Configuration;

/** Clients as an application makes them. */
final class Clients {

    static final AwsCredentialsProvider TEST_CREDENTIALS =
            StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test-secret"));

    private Clients() {}

    /** A clock by which pauses pass at once. */
    static Patience.Clock impatient() {
        AtomicLong slept = new AtomicLong();
        return new Patience.Clock(
                () -> System.nanoTime() + slept.get(), slept::addAndGet, Patience.Clock.SYSTEM.between());
    }

    static S3Client withoutRetries(URI endpoint, AwsCredentialsProvider credentials) {
        return S3Client.builder()
                .endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .credentialsProvider(credentials)
                .forcePathStyle(true)
                .httpClientBuilder(Apache5HttpClient.builder().maxConnections(64))
                .overrideConfiguration(o -> o.retryStrategy(DefaultRetryStrategy.doNotRetry()))
                .build();
    }

    /** With credentials of the environment if there are any, and somebody who counts. */
    static S3Client counted(URI endpoint, ExecutionInterceptor counter) {
        boolean named = System.getenv("AWS_ACCESS_KEY_ID") != null;
        return S3Client.builder()
                .endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .credentialsProvider(
                        named ? DefaultCredentialsProvider.builder().build() : TEST_CREDENTIALS)
                .forcePathStyle(true)
                .httpClientBuilder(Apache5HttpClient.builder())
                .overrideConfiguration(
                        o -> o.retryStrategy(DefaultRetryStrategy.doNotRetry()).addExecutionInterceptor(counter))
                .build();
    }

    /** Makes the bucket if it is not there. */
    static void requireBucket(S3Client client, String bucket) {
        if (client.listBuckets().buckets().stream().noneMatch(b -> b.name().equals(bucket))) {
            client.createBucket(r -> r.bucket(bucket));
        }
    }

    /** For stores that do not know the SDK's checksums in trailers. */
    static S3Client plain(URI endpoint) {
        return S3Client.builder()
                .endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .credentialsProvider(TEST_CREDENTIALS)
                .serviceConfiguration(S3Configuration.builder()
                        .pathStyleAccessEnabled(true)
                        .chunkedEncodingEnabled(false)
                        .build())
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .httpClientBuilder(Apache5HttpClient.builder())
                .overrideConfiguration(o -> o.retryStrategy(DefaultRetryStrategy.doNotRetry()))
                .build();
    }

    static S3Client withRetries(URI endpoint) {
        return S3Client.builder()
                .endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .credentialsProvider(TEST_CREDENTIALS)
                .forcePathStyle(true)
                .httpClientBuilder(Apache5HttpClient.builder())
                .build();
    }

    static S3AsyncClient async(URI endpoint) {
        return S3AsyncClient.builder()
                .endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .credentialsProvider(TEST_CREDENTIALS)
                .forcePathStyle(true)
                .httpClientBuilder(NettyNioAsyncHttpClient.builder().readTimeout(Duration.ofSeconds(5)))
                .overrideConfiguration(o -> o.retryStrategy(DefaultRetryStrategy.doNotRetry()))
                .build();
    }
}
