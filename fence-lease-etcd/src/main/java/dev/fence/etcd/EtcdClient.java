package dev.fence.etcd;

import dev.fence.FenceException;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseKeepAliveRequest;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Supplier;

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
    private final Optional<Login> login;
    private final List<Runnable> onMove = new CopyOnWriteArrayList<>();

    /** @throws IllegalArgumentException if a certificate or key of the settings cannot be read */
    EtcdClient(EtcdSettings settings) {
        this.endpoints = settings.endpoints();
        this.connections = new Connections(endpoints, settings.tls());
        this.route = new AtomicReference<>(connections.first());
        this.login = settings.user().map(user -> new Login(user, () -> route().channel()));
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
        LeaseKeepAliveRequest request =
                LeaseKeepAliveRequest.newBuilder().setID(lease).build();
        return calling(
                        timeout,
                        (channel, options) -> Answers.streamed(
                                channel.newCall(LeaseGrpc.getLeaseKeepAliveMethod(), options), request))
                .thenApply(LeaseKeepAliveResponse::getTTL);
    }

    <Q, R> CompletableFuture<R> call(MethodDescriptor<Q, R> method, Q request, Duration timeout) {
        return calling(timeout, (channel, options) -> Answers.unary(channel.newCall(method, options), request));
    }

    private <T> CompletableFuture<T> calling(
            Duration timeout, BiFunction<Channel, CallOptions, CompletableFuture<T>> start) {
        Connections.Route used = route();
        Optional<Login.Pass> pass = pass();
        CallOptions options = options(pass).withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
        return start.apply(used.channel(), options).whenComplete((reply, failure) -> {
            if (failure != null) {
                if (Failures.isEndpointsFault(failure)) {
                    leave(used);
                }
                if (Failures.isTokenRefused(failure)) {
                    pass.ifPresent(Login.Pass::refused);
                }
            }
        });
    }

    /** What the user shows with one call; empty without a user. */
    Optional<Login.Pass> pass() {
        return login.map(Login::pass);
    }

    static CallOptions options(Optional<Login.Pass> pass) {
        return pass.map(CallOptions.DEFAULT::withCallCredentials).orElse(CallOptions.DEFAULT);
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
                if (!Failures.isUnanswered(e) || System.nanoTime() - end + PAUSE.toNanos() >= 0) {
                    throw explain(what, e);
                }
            }
            Waits.through(PAUSE, nanos -> {
                TimeUnit.NANOSECONDS.sleep(nanos);
                return true;
            });
        }
    }

    /** What the caller of fence gets to see. */
    FenceException explain(String what, Throwable failure) {
        return Failures.explain(what, endpoints, failure);
    }

    @Override
    public void close() {
        connections.close();
    }
}
