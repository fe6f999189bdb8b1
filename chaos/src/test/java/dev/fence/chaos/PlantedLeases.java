package dev.fence.chaos;

import com.google.protobuf.ByteString;
import dev.fence.BusyException;
import dev.fence.FenceEvents;
import dev.fence.FencingToken;
import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.LeaseLostException;
import dev.fence.LeaseSettings;
import dev.fence.LeaseTimeoutException;
import dev.fence.Leases;
import dev.fence.LossReason;
import dev.fence.SessionTiming;
import dev.fence.spi.LeaseBackend;
import dev.fence.spi.ManagedLease;
import dev.fence.spi.SessionClock;
import dev.fence.spi.TimeSource;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseKeepAliveRequest;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** A small client of etcd as people write it themselves, with one flaw of those that such clients have had. */
final class PlantedLeases implements Leases {

    /** What is wrong with it. */
    enum Flaw {
        /** Whoever sees its predecessor go takes itself for the first. */
        GRANT_WITHOUT_REREAD,
        /** The time to live counts from when the heartbeat was answered. */
        DEADLINE_FROM_REPLY,
        /** Giving back deletes whatever is there under the name. */
        RELEASE_BY_NAME,
        /** Whoever gives up deletes its key, and forgets its request that is still on the way. */
        NO_TOMBSTONE,
        /** Lease names are parts of keys as they are. */
        PLAIN_NAMES
    }

    private static final long CALL_MILLIS = 600;

    private final Flaw flaw;
    private final SessionTiming timing;
    private final String root;
    private final List<ManagedChannel> channels;
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
    private final AtomicLong count = new AtomicLong();
    private final SessionClock clock;
    private final long session;
    private volatile int current;

    PlantedLeases(Flaw flaw, List<String> endpoints, String namespace, Duration ttl) {
        this.flaw = flaw;
        this.timing = SessionTiming.ofTtl(ttl).withMargin(Duration.ofMillis(100));
        this.root = namespace + "/";
        this.channels = endpoints.stream().map(PlantedLeases::connect).toList();
        SessionClock.Sending sent = SessionClock.sending(TimeSource.system());
        this.session = ask(
                        LeaseGrpc.getLeaseGrantMethod(),
                        LeaseGrantRequest.newBuilder()
                                .setTTL(timing.ttl().toSeconds())
                                .build())
                .getID();
        this.clock = new SessionClock(TimeSource.system(), timing, sent, timing.ttl());
        Future<?> unused =
                timer.scheduleAtFixedRate(this::beat, 0, timing.heartbeatEvery().toMillis(), TimeUnit.MILLISECONDS);
    }

    static ManagedChannel connect(String endpoint) {
        URI uri = URI.create(endpoint);
        return NettyChannelBuilder.forAddress(uri.getHost(), uri.getPort())
                .usePlaintext()
                .build();
    }

    private void beat() {
        SessionClock.Sending sent = clock.sending();
        StreamObserver<LeaseKeepAliveRequest> requests = ClientCalls.asyncBidiStreamingCall(
                channels.get(current).newCall(LeaseGrpc.getLeaseKeepAliveMethod(), CallOptions.DEFAULT),
                new StreamObserver<LeaseKeepAliveResponse>() {
                    @Override
                    public void onNext(LeaseKeepAliveResponse reply) {
                        SessionClock.Sending from =
                                flaw == Flaw.DEADLINE_FROM_REPLY ? SessionClock.sending(TimeSource.system()) : sent;
                        if (reply.getTTL() > 0) {
                            clock.confirmed(from, Duration.ofSeconds(reply.getTTL()));
                        } else {
                            clock.lost(new LossReason(LossReason.Kind.REVOKED, "says a heartbeat"));
                        }
                    }

                    @Override
                    public void onError(Throwable failure) {
                        clock.unanswered(String.valueOf(failure));
                    }

                    @Override
                    public void onCompleted() {}
                });
        requests.onNext(LeaseKeepAliveRequest.newBuilder().setID(session).build());
    }

    private String queue(String name) {
        return root + "q/" + (flaw == Flaw.PLAIN_NAMES ? name : name.replace("/", "%2F")) + "/";
    }

    @Override
    public String source() {
        return "planted";
    }

    @Override
    public Lease acquire(String name, Duration wait, LeaseSettings settings) throws InterruptedException {
        long end = System.nanoTime() + wait.toNanos();
        long n = count.incrementAndGet();
        String own = queue(name) + session + "-" + n;
        long revision = enqueue(own, root + "t/" + session + "-" + n);
        while (System.nanoTime() - end < 0) {
            List<KeyValue> upToMine = newestTwo(queue(name), revision);
            boolean first = upToMine.size() == 1;
            if (!first) {
                String predecessor = upToMine.get(1).getKey().toStringUtf8();
                first = awaitGone(predecessor, end) && flaw == Flaw.GRANT_WITHOUT_REREAD;
            }
            if (first) {
                Grant grant = new Grant(source(), name, new FencingToken(revision), Grant.newHolder());
                return ManagedLease.granted(
                        grant, settings, clock, new Key(own, queue(name)), TimeSource.system(), FenceEvents.NONE);
            }
        }
        leave(own, root + "t/" + session + "-" + n);
        throw new LeaseTimeoutException(name, wait, "somebody");
    }

    /** Its create revision. Sent again after silence, on another connection: harmless as long as it is remembered. */
    private long enqueue(String own, String tombstone) {
        TxnRequest request = TxnRequest.newBuilder()
                .addCompare(isAbsent(own))
                .addCompare(isAbsent(tombstone))
                .addSuccess(put(own))
                .addFailure(RequestOp.newBuilder().setRequestRange(get(own)))
                .build();
        TxnResponse reply = ask(KVGrpc.getTxnMethod(), request);
        return reply.getSucceeded()
                ? reply.getHeader().getRevision()
                : reply.getResponses(0).getResponseRange().getKvs(0).getCreateRevision();
    }

    private void leave(String own, String tombstone) {
        TxnRequest.Builder request = TxnRequest.newBuilder().addSuccess(delete(own, ""));
        if (flaw != Flaw.NO_TOMBSTONE) {
            request.addSuccess(put(tombstone));
        }
        ask(KVGrpc.getTxnMethod(), request.build());
    }

    private boolean awaitGone(String key, long end) throws InterruptedException {
        while (System.nanoTime() - end < 0) {
            if (ask(KVGrpc.getRangeMethod(), get(key).build()).getKvsCount() == 0) {
                return true;
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        return false;
    }

    private List<KeyValue> newestTwo(String queue, long revision) {
        return ask(
                        KVGrpc.getRangeMethod(),
                        get(queue)
                                .setRangeEnd(ByteString.copyFromUtf8(queue.substring(0, queue.length() - 1) + "0"))
                                .setMaxCreateRevision(revision)
                                .setSortTarget(RangeRequest.SortTarget.CREATE)
                                .setSortOrder(RangeRequest.SortOrder.DESCEND)
                                .setLimit(2)
                                .build())
                .getKvsList();
    }

    private static Compare isAbsent(String key) {
        return Compare.newBuilder()
                .setKey(ByteString.copyFromUtf8(key))
                .setTarget(Compare.CompareTarget.CREATE)
                .setResult(Compare.CompareResult.EQUAL)
                .setCreateRevision(0)
                .build();
    }

    private static RangeRequest.Builder get(String key) {
        return RangeRequest.newBuilder().setKey(ByteString.copyFromUtf8(key));
    }

    private RequestOp put(String key) {
        return RequestOp.newBuilder()
                .setRequestPut(PutRequest.newBuilder()
                        .setKey(ByteString.copyFromUtf8(key))
                        .setLease(session))
                .build();
    }

    private static RequestOp delete(String key, String end) {
        return RequestOp.newBuilder()
                .setRequestDeleteRange(DeleteRangeRequest.newBuilder()
                        .setKey(ByteString.copyFromUtf8(key))
                        .setRangeEnd(ByteString.copyFromUtf8(end)))
                .build();
    }

    /** Without a deadline at the service: what was not answered in time is forgotten, and comes when it comes. */
    private <Q, R> R ask(MethodDescriptor<Q, R> method, Q request) {
        for (int attempt = 0; attempt < 10; attempt++) {
            try {
                return ClientCalls.futureUnaryCall(channels.get(current).newCall(method, CallOptions.DEFAULT), request)
                        .get(CALL_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException | ExecutionException e) {
                current = (current + 1) % channels.size();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        throw new BusyException("no answer", null);
    }

    /** The record of one grant. */
    private final class Key implements LeaseBackend {

        private final String own;
        private final String queue;

        private Key(String own, String queue) {
            this.own = own;
            this.queue = queue;
        }

        @Override
        public void confirm(Grant grant) {
            if (ask(KVGrpc.getRangeMethod(), get(own).build()).getKvsCount() == 0) {
                throw new LeaseLostException(grant, new LossReason(LossReason.Kind.REMOVED, "gone"));
            }
        }

        @Override
        public boolean release(Grant grant) {
            boolean byName = flaw == Flaw.RELEASE_BY_NAME;
            TxnRequest request = TxnRequest.newBuilder()
                    .addSuccess(byName ? delete(queue, queue.substring(0, queue.length() - 1) + "0") : delete(own, ""))
                    .build();
            return ask(KVGrpc.getTxnMethod(), request)
                            .getResponses(0)
                            .getResponseDeleteRange()
                            .getDeleted()
                    > 0;
        }

        @Override
        public Duration ttl() {
            return timing.ttl();
        }

        @Override
        public ScheduledExecutorService timer() {
            return timer;
        }

        @Override
        public Executor listeners() {
            return timer;
        }
    }

    @Override
    public Optional<Lease> tryAcquire(String name, LeaseSettings settings) {
        throw new UnsupportedOperationException("not planted");
    }

    @Override
    public void close() {
        timer.shutdownNow();
        channels.forEach(ManagedChannel::shutdownNow);
    }
}
