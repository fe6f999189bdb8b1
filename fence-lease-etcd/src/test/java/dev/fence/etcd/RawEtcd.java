package dev.fence.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import java.time.Duration;
import java.util.List;

/** Looks at etcd, and meddles with it, past the library. */
final class RawEtcd implements AutoCloseable {

    // Generous: the first call of a virtual machine loads a thousand classes, better here than under a short deadline.
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final EtcdClient client;
    private final String namespace;

    RawEtcd(String endpoint, String namespace) {
        this.client = new EtcdClient(EtcdSettings.of(endpoint));
        this.namespace = namespace;
    }

    /** What is stored below {@code folder} of the namespace, such as {@code "q/"}. */
    List<KeyValue> stored(String folder) {
        String prefix = namespace + "/v1/" + folder;
        return client.call(
                        KVGrpc.getRangeMethod(),
                        RangeRequest.newBuilder()
                                .setKey(ByteString.copyFromUtf8(prefix))
                                .setRangeEnd(ByteString.copyFromUtf8(prefix + "\uffff"))
                                .build(),
                        TIMEOUT)
                .join()
                .getKvsList();
    }

    List<String> keys(String folder) {
        return stored(folder).stream().map(kv -> kv.getKey().toStringUtf8()).toList();
    }

    void put(String key, String value) {
        client.call(
                        KVGrpc.getPutMethod(),
                        PutRequest.newBuilder()
                                .setKey(ByteString.copyFromUtf8(key))
                                .setValue(ByteString.copyFromUtf8(value))
                                .build(),
                        TIMEOUT)
                .join();
    }

    void delete(String key) {
        client.call(
                        KVGrpc.getDeleteRangeMethod(),
                        DeleteRangeRequest.newBuilder()
                                .setKey(ByteString.copyFromUtf8(key))
                                .build(),
                        TIMEOUT)
                .join();
    }

    /** Ends the only session of the namespace. */
    void revokeSession() {
        revokeSessionOf(stored("s/").get(0));
    }

    void revokeSessionOf(KeyValue owned) {
        client.call(
                        LeaseGrpc.getLeaseRevokeMethod(),
                        LeaseRevokeRequest.newBuilder().setID(owned.getLease()).build(),
                        TIMEOUT)
                .join();
    }

    @Override
    public void close() {
        client.close();
    }
}
