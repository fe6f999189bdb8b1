package dev.fence.etcd;

import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.etcd.jetcd.api.AuthenticateResponse;
import io.grpc.CallCredentials;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The token that etcd gives a user for the password, sent with every call. etcd forgets it after five minutes without a call, at
 * a restart, and whenever users or roles change: then the call that was refused has done nothing, another token is asked for,
 * and the call may be made again.
 */
final class Login {

    private static final Metadata.Key<String> TOKEN = Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);
    /** etcd takes its time for a password on purpose. */
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final EtcdUser user;
    private final Supplier<Channel> channel;
    private final AtomicReference<@Nullable CompletableFuture<String>> token = new AtomicReference<>();

    /** @param channel to the endpoint in use */
    Login(EtcdUser user, Supplier<Channel> channel) {
        this.user = user;
        this.channel = channel;
    }

    Pass pass() {
        return new Pass();
    }

    private CompletableFuture<String> token() {
        CompletableFuture<String> known = token.get();
        if (known != null) {
            return known;
        }
        CompletableFuture<String> asked = new CompletableFuture<>();
        if (!token.compareAndSet(null, asked)) {
            return token(); // another call asks already
        }
        AuthenticateRequest request = AuthenticateRequest.newBuilder()
                .setName(user.name())
                .setPassword(user.password())
                .build();
        CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(LONGEST.toNanos(), TimeUnit.NANOSECONDS);
        Waits.then(
                Answers.unary(channel.get().newCall(AuthGrpc.getAuthenticateMethod(), options), request),
                (AuthenticateResponse reply, Throwable failure) -> {
                    if (reply == null) {
                        token.compareAndSet(asked, null); // the next call tries again
                        asked.completeExceptionally(failure == null ? Status.UNKNOWN.asRuntimeException() : failure);
                    } else {
                        asked.complete(reply.getToken());
                    }
                });
        return asked;
    }

    /** For one call. */
    final class Pass extends CallCredentials {

        private volatile @Nullable CompletableFuture<String> shown;

        @Override
        public void applyRequestMetadata(RequestInfo call, Executor executor, MetadataApplier applier) {
            CompletableFuture<String> mine = token();
            shown = mine;
            Waits.then(mine, (text, failure) -> {
                if (text != null) {
                    Metadata headers = new Metadata();
                    headers.put(TOKEN, text);
                    applier.apply(headers);
                } else {
                    applier.fail(whyNot(failure == null ? Status.UNKNOWN.asRuntimeException() : failure));
                }
            });
        }

        /** etcd does not know the token that was shown: the next call gets another. */
        void refused() {
            token.compareAndSet(shown, null);
        }

        private Status whyNot(Throwable failure) {
            // What etcd says about the password must not look like an answer to the call itself.
            Status status = Failures.isUnanswered(failure) ? Status.UNAVAILABLE : Status.PERMISSION_DENIED;
            return status.withDescription("user \"" + user.name() + "\": " + Failures.describe(failure))
                    .withCause(failure);
        }
    }
}
