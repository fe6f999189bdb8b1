package dev.fence.etcd;

import dev.fence.BusyException;
import dev.fence.FenceException;
import dev.fence.UnsupportedStoreException;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseKeepAliveRequest;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Single calls to etcd, each to the endpoint in use and with a deadline. A call is never repeated here: whether it may be is
 * for the caller to know.
 *
 * <p>An endpoint that fails or stays silent is left for the next, and with it the connection: after a long cut, the old one
 * would go on waiting for its TCP retransmission long after the network is back.
 *
 * <p>Answers arrive on the network thread: what hangs on them must not block.
 */
final class EtcdClient implements AutoCloseable {

    /** Between two attempts, so that an endpoint that refuses connections is not asked in a tight loop. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final List<URI> endpoints;
    private final Connections connections;
    private final AtomicReference<Connections.Route> route;
    private final List<Runnable> onMove = new CopyOnWriteArrayList<>();

    EtcdClient(List<URI> endpoints) {
        this.endpoints = endpoints;
        this.connections = new Connections(endpoints);
        this.route = new AtomicReference<>(connections.first());
    }

    List<URI> endpoints() {
        return endpoints;
    }

    /** {@code listener} runs, without blocking, whenever an endpoint was left. */
    void onMove(Runnable listener) {
        onMove.add(listener);
    }

    void removeOnMove(Runnable listener) {
        onMove.remove(listener);
    }

    CompletableFuture<TxnResponse> txn(TxnRequest request, Duration timeout) {
        return call(KVGrpc.getTxnMethod(), request, timeout);
    }

    /**
     * One heartbeat on a stream of its own: answers carry no request id, so on a shared stream a late one would be credited to
     * the wrong heartbeat.
     *
     * @return the time to live that the service says is left, in seconds; zero or less if it has no such lease
     */
    CompletableFuture<Long> keepAlive(long lease, Duration timeout) {
        Connections.Route used = route();
        Answer<LeaseKeepAliveResponse> answer = new Answer<>(used);
        ClientCall<LeaseKeepAliveRequest, LeaseKeepAliveResponse> call =
                used.channel().newCall(LeaseGrpc.getLeaseKeepAliveMethod(), within(timeout));
        StreamObserver<LeaseKeepAliveRequest> requests = ClientCalls.asyncBidiStreamingCall(call, answer);
        requests.onNext(LeaseKeepAliveRequest.newBuilder().setID(lease).build());
        // The stream is ended only after the answer: some servers drop what is unanswered at the end of the requests.
        Waits.then(answer.future, (reply, failure) -> {
            if (failure == null) {
                requests.onCompleted();
            }
        });
        return answer.future.thenApply(LeaseKeepAliveResponse::getTTL);
    }

    <Q, R> CompletableFuture<R> call(MethodDescriptor<Q, R> method, Q request, Duration timeout) {
        Connections.Route used = route();
        Answer<R> answer = new Answer<>(used);
        ClientCalls.asyncUnaryCall(used.channel().newCall(method, within(timeout)), request, answer);
        return answer.future;
    }

    /** The endpoint in use, for a stream. */
    Connections.Route route() {
        return Objects.requireNonNull(route.get());
    }

    /** {@code used} failed or stays silent: the next takes over, unless another call has noticed before. */
    void leave(Connections.Route used) {
        if (route.compareAndSet(used, connections.after(used))) {
            connections.drop(used);
            onMove.forEach(Runnable::run);
        }
    }

    /**
     * Asks until there is an answer, at least once, and for about {@code longest}. Not cut short by an interrupt.
     *
     * @param what names the attempt in the message
     * @param call makes one attempt, which must do no harm when repeated
     * @throws FenceException what the caller of fence gets to see
     */
    <T> T ask(String what, Duration longest, Supplier<CompletableFuture<T>> call) {
        long end = System.nanoTime() + longest.toNanos();
        while (true) {
            try {
                return Waits.outcome(call.get(), longest.multipliedBy(2));
            } catch (CompletionException e) {
                if (!isUnanswered(e) || System.nanoTime() - end + PAUSE.toNanos() >= 0) {
                    throw explain(what, e);
                }
            }
            Waits.through(PAUSE, nanos -> {
                TimeUnit.NANOSECONDS.sleep(nanos);
                return true;
            });
        }
    }

    /** Whether the call may or may not have taken effect, and may be answered if it is asked again. */
    static boolean isUnanswered(Throwable failure) {
        return switch (status(failure).getCode()) {
            case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, INTERNAL, UNKNOWN, ABORTED, RESOURCE_EXHAUSTED -> true;
            default -> false;
        };
    }

    /** Not what this client cancelled, and not what the service, well enough to say so, has no room for. */
    private static boolean isEndpointsFault(Throwable failure) {
        return switch (status(failure).getCode()) {
            case UNAVAILABLE, DEADLINE_EXCEEDED, INTERNAL, UNKNOWN -> true;
            default -> false;
        };
    }

    /** Whether the service said that it has no lease of this session. */
    static boolean isSessionGone(Throwable failure) {
        return status(failure).getCode() == Status.Code.NOT_FOUND;
    }

    /** What the caller of fence gets to see. */
    FenceException explain(String what, Throwable failure) {
        String message = what + " at etcd " + endpoints + ": " + describe(failure);
        return isUnanswered(failure) || isSessionGone(failure)
                ? new BusyException(message, failure)
                : new UnsupportedStoreException(message, failure);
    }

    static String describe(Throwable failure) {
        Status status = status(failure);
        String description = status.getDescription();
        return status.getCode() + (description == null ? "" : " (" + description + ")");
    }

    private static Status status(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof StatusRuntimeException || cause instanceof StatusException) {
            return Status.fromThrowable(cause);
        }
        return Status.UNKNOWN.withDescription(String.valueOf(cause)).withCause(cause);
    }

    private static CallOptions within(Duration timeout) {
        return CallOptions.DEFAULT.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        connections.close();
    }

    /** The first message of a call, or its failure. */
    private final class Answer<R> implements StreamObserver<R> {

        private final CompletableFuture<R> future = new CompletableFuture<>();
        private final Connections.Route used;

        private Answer(Connections.Route used) {
            this.used = used;
        }

        @Override
        public void onNext(R reply) {
            future.complete(reply);
        }

        @Override
        public void onError(@Nullable Throwable failure) {
            Throwable known = failure == null ? Status.UNKNOWN.asRuntimeException() : failure;
            if (!future.isDone() && isEndpointsFault(known)) {
                leave(used);
            }
            future.completeExceptionally(known);
        }

        @Override
        public void onCompleted() {
            onError(Status.UNAVAILABLE
                    .withDescription("the call ended without an answer")
                    .asRuntimeException());
        }
    }
}
