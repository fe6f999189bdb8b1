package dev.fence.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.WatchCancelRequest;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.MetadataUtils;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Watches single keys for their deletion, all on one stream of the endpoint in use.
 *
 * <p>A watch is never resumed: when the stream ends, or its endpoint is left, every watcher is told that it is
 * {@link Watcher#broken}, and must read for itself what it has missed before it watches again. A resumed watch can lose the
 * very deletion that it is there for.
 *
 * <p>The lock guards a few maps; sending only puts a message into the network thread's queue.
 */
final class WatchStream implements AutoCloseable {

    /** Is called on the network thread or a timer, and must not block. */
    interface Watcher {

        /** From {@code revision} on, nothing is missed. What happened between an earlier read and it, may have been. */
        default void created(long revision) {}

        void deleted();

        /** This watch is over; the key may be gone or not. */
        void broken();
    }

    /** With this, a member that has lost its leader ends the stream instead of keeping it silent. */
    private static final Metadata REQUIRE_LEADER = new Metadata();

    static {
        REQUIRE_LEADER.put(Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER), "true");
    }

    private final EtcdClient client;
    private final Executor tellBroken;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Stream open;
    private boolean closed;

    /** @param tellBroken calls {@link Watcher#broken}, so that it never comes from within {@link #watch} */
    WatchStream(EtcdClient client, Executor tellBroken) {
        this.client = client;
        this.tellBroken = tellBroken;
    }

    /** @param from the first revision whose events count, or zero for now */
    Watch watch(ByteString key, long from, Watcher watcher) {
        Watch watch = new Watch(watcher);
        lock.lock();
        try {
            if (!closed) {
                Stream stream = open;
                if (stream == null) {
                    stream = new Stream(client.route());
                    open = stream;
                    stream.start();
                }
                watch.stream = stream;
                stream.send(watch, key, from);
            }
        } finally {
            lock.unlock();
        }
        return watch;
    }

    /** Breaks every watch, since the endpoint was left. The next watch opens a stream to the endpoint in use. */
    void reset() {
        lock.lock();
        try {
            Stream stream = open;
            if (stream != null) {
                stream.end();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends the stream. Nobody is told: this is for the end of the session. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            Stream stream = open;
            if (stream != null) {
                stream.watches().forEach(watch -> watch.over = true);
                stream.end();
            }
        } finally {
            lock.unlock();
        }
    }

    /** One key being watched. */
    final class Watch {

        private final Watcher watcher;
        private @Nullable Stream stream;
        private long id = -1;
        private boolean over;

        private Watch(Watcher watcher) {
            this.watcher = watcher;
        }

        /** No call of the watcher begins after this, but one may be running. */
        void cancel() {
            lock.lock();
            try {
                if (!over) {
                    over = true;
                    if (stream != null) {
                        stream.cancel(this);
                    }
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private final class Stream implements ClientResponseObserver<WatchRequest, WatchResponse> {

        private final Connections.Route route;
        private final Optional<Login.Pass> pass = client.pass();
        // The service answers creations in the order in which they were asked for, and names the id only then.
        private final Queue<Watch> creating = new ArrayDeque<>();
        private final Map<Long, Watch> created = new HashMap<>();
        private @Nullable ClientCallStreamObserver<WatchRequest> requests;
        private boolean ended;

        private Stream(Connections.Route route) {
            this.route = route;
        }

        private void start() {
            Channel channel = ClientInterceptors.intercept(
                    route.channel(), MetadataUtils.newAttachHeadersInterceptor(REQUIRE_LEADER));
            ClientCalls.asyncBidiStreamingCall(
                    channel.newCall(WatchGrpc.getWatchMethod(), EtcdClient.options(pass)), this);
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<WatchRequest> requests) {
            this.requests = requests;
        }

        private void send(Watch watch, ByteString key, long from) {
            if (open != this) {
                breakOff(watch); // the stream failed while it was being started
                return;
            }
            creating.add(watch);
            send(WatchRequest.newBuilder()
                    .setCreateRequest(WatchCreateRequest.newBuilder()
                            .setKey(key)
                            .setStartRevision(from)
                            .addFilters(WatchCreateRequest.FilterType.NOPUT))
                    .build());
        }

        private void cancel(Watch watch) {
            // One whose id is not known yet is cancelled when it becomes known.
            if (created.remove(watch.id, watch)) {
                send(WatchRequest.newBuilder()
                        .setCancelRequest(WatchCancelRequest.newBuilder().setWatchId(watch.id))
                        .build());
            }
        }

        private void send(WatchRequest request) {
            if (requests != null && open == this) {
                requests.onNext(request);
            }
        }

        private List<Watch> watches() {
            List<Watch> all = new ArrayList<>(creating);
            all.addAll(created.values());
            return all;
        }

        private void end() {
            ended = true;
            if (open == this) {
                open = null;
            }
            for (Watch watch : watches()) {
                breakOff(watch);
            }
            creating.clear();
            created.clear();
            if (requests != null) {
                requests.cancel("no longer needed", null);
            }
        }

        private void breakOff(Watch watch) {
            if (!watch.over) {
                watch.over = true;
                tellBroken.execute(watch.watcher::broken);
            }
        }

        @Override
        public void onNext(WatchResponse response) {
            Watch deleted = null;
            Watch begun = null;
            lock.lock();
            try {
                if (response.getCreated()) {
                    begun = begin(response);
                } else if (response.getCanceled()) {
                    Watch watch = created.remove(response.getWatchId());
                    if (watch != null) {
                        breakOff(watch);
                    }
                } else if (response.getEventsList().stream()
                        .anyMatch(event -> event.getType() == Event.EventType.DELETE)) {
                    deleted = created.get(response.getWatchId());
                }
            } finally {
                lock.unlock();
            }
            if (begun != null) {
                begun.watcher.created(response.getHeader().getRevision());
            }
            if (deleted != null) {
                deleted.watcher.deleted();
            }
        }

        private @Nullable Watch begin(WatchResponse response) {
            Watch watch = creating.poll();
            if (watch == null) {
                return null;
            }
            if (response.getCanceled()) {
                // Not permitted: the token that this stream was opened with is not good any more. The next may be.
                breakOff(watch);
                end();
                return null;
            }
            watch.id = response.getWatchId();
            created.put(watch.id, watch);
            if (watch.over) {
                cancel(watch);
                return null;
            }
            return watch;
        }

        @Override
        public void onError(@Nullable Throwable failure) {
            boolean endedByUs;
            lock.lock();
            try {
                endedByUs = ended;
                end();
            } finally {
                lock.unlock();
            }
            if (!endedByUs) {
                if (failure != null && Failures.isTokenRefused(failure)) {
                    pass.ifPresent(Login.Pass::refused);
                }
                client.leave(route);
            }
        }

        @Override
        public void onCompleted() {
            onError(null);
        }
    }
}
