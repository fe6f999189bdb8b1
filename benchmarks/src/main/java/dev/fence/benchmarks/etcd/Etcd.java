package dev.fence.benchmarks.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.etcd.jetcd.api.lock.LockGrpc;
import io.etcd.jetcd.api.lock.LockRequest;
import io.etcd.jetcd.api.lock.LockResponse;
import io.etcd.jetcd.api.lock.UnlockRequest;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Future;

/** etcd without the library: a put, a delete, its lock service, and what it counts itself. */
final class Etcd implements AutoCloseable {

    private final String endpoint;
    private final ManagedChannel channel;

    Etcd(String endpoint) {
        this.endpoint = endpoint;
        URI uri = URI.create(endpoint);
        this.channel = NettyChannelBuilder.forAddress(uri.getHost(), uri.getPort())
                .usePlaintext()
                .directExecutor()
                .build();
    }

    void put(String key, long lease) {
        ClientCalls.blockingUnaryCall(
                channel,
                KVGrpc.getPutMethod(),
                CallOptions.DEFAULT,
                PutRequest.newBuilder().setKey(bytes(key)).setLease(lease).build());
    }

    /** A transaction like that which queues up: three conditions, a put, and a read of the newest two of a range. */
    void putFirst(String key, long lease) {
        TxnRequest.Builder txn = TxnRequest.newBuilder();
        for (String absent : List.of(key, key + "/tombstone", "floor")) {
            txn.addCompare(Compare.newBuilder()
                    .setKey(bytes(absent))
                    .setTarget(Compare.CompareTarget.CREATE)
                    .setResult(Compare.CompareResult.EQUAL)
                    .setCreateRevision(0));
        }
        RangeRequest newestTwo = RangeRequest.newBuilder()
                .setKey(bytes(key))
                .setRangeEnd(bytes(key + "0"))
                .setSortTarget(RangeRequest.SortTarget.CREATE)
                .setSortOrder(RangeRequest.SortOrder.DESCEND)
                .setLimit(2)
                .build();
        PutRequest put =
                PutRequest.newBuilder().setKey(bytes(key)).setLease(lease).build();
        TxnResponse reply = ClientCalls.blockingUnaryCall(
                channel,
                KVGrpc.getTxnMethod(),
                CallOptions.DEFAULT,
                txn.addSuccess(RequestOp.newBuilder().setRequestPut(put))
                        .addSuccess(RequestOp.newBuilder().setRequestRange(newestTwo))
                        .build());
        if (!reply.getSucceeded()) {
            throw new IllegalStateException(key + " was there already");
        }
    }

    void delete(String key) {
        ClientCalls.blockingUnaryCall(
                channel,
                KVGrpc.getDeleteRangeMethod(),
                CallOptions.DEFAULT,
                DeleteRangeRequest.newBuilder().setKey(bytes(key)).build());
    }

    /** A lease that outlives the measurement without a heartbeat. */
    long lease() {
        return ClientCalls.blockingUnaryCall(
                        channel,
                        LeaseGrpc.getLeaseGrantMethod(),
                        CallOptions.DEFAULT,
                        LeaseGrantRequest.newBuilder().setTTL(600).build())
                .getID();
    }

    Future<LockResponse> lock(String name, long lease) {
        return ClientCalls.futureUnaryCall(
                channel.newCall(LockGrpc.getLockMethod(), CallOptions.DEFAULT),
                LockRequest.newBuilder().setName(bytes(name)).setLease(lease).build());
    }

    void unlock(ByteString key) {
        ClientCalls.blockingUnaryCall(
                channel,
                LockGrpc.getUnlockMethod(),
                CallOptions.DEFAULT,
                UnlockRequest.newBuilder().setKey(key).build());
    }

    /** How often something was begun, by etcd's own count; {@code word} picks a service or a method. */
    long calls(String word) throws IOException {
        return count("grpc_server_started_total", word);
    }

    /** Events sent to watchers. */
    long events() throws IOException {
        return count("etcd_debugging_mvcc_events_total", "");
    }

    private long count(String name, String word) throws IOException {
        try (InputStream in = URI.create(endpoint + "/metrics").toURL().openStream()) {
            List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            return lines.stream()
                    .filter(line -> line.startsWith(name) && line.contains(word))
                    .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
        }
    }

    private static ByteString bytes(String text) {
        return ByteString.copyFromUtf8(text);
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
