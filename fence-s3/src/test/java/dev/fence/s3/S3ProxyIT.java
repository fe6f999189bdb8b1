package dev.fence.s3;

import java.net.URI;
import org.gaul.s3proxy.AuthenticationType;
import org.gaul.s3proxy.S3Proxy;
import org.jclouds.ContextBuilder;
import org.jclouds.blobstore.BlobStoreContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * The contract on a second implementation of the wire format, one request at a time. Its conditions are not atomic, so the
 * probe would refuse it, and does not run.
 */
class S3ProxyIT extends ObjectFenceContract {

    private static final BlobStoreContext CONTEXT =
            ContextBuilder.newBuilder("transient").build(BlobStoreContext.class);
    private static final S3Proxy PROXY = S3Proxy.builder()
            .blobStore(CONTEXT.getBlobStore())
            .endpoint(URI.create("http://127.0.0.1:0"))
            .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, "test", "test-secret")
            .build();
    private static S3Client client;

    @BeforeAll
    static void start() throws Exception {
        PROXY.start();
        client = Clients.plain(URI.create("http://127.0.0.1:" + PROXY.getPort()));
        client.createBucket(r -> r.bucket("proxy"));
    }

    @AfterAll
    static void stop() throws Exception {
        client.close();
        PROXY.stop();
        CONTEXT.close();
    }

    @Override
    S3Client client() {
        return client;
    }

    @Override
    String bucket() {
        return "proxy";
    }

    @Override
    S3Fence fence() {
        return new S3Fence(Stores.of(client, "proxy", SETTINGS).slots());
    }
}
