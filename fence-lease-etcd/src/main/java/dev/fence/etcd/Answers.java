package dev.fence.etcd;

import io.grpc.ClientCall;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The first message of a call, or its failure, as a future. */
final class Answers {

    private Answers() {}

    static <Q, R> CompletableFuture<R> unary(ClientCall<Q, R> call, Q request) {
        First<R> first = new First<>();
        ClientCalls.asyncUnaryCall(call, request, first);
        return first.future;
    }

    /** One request on a stream. The stream is ended only after the answer: some servers drop what is unanswered at its end. */
    static <Q, R> CompletableFuture<R> streamed(ClientCall<Q, R> call, Q request) {
        First<R> first = new First<>();
        StreamObserver<Q> requests = ClientCalls.asyncBidiStreamingCall(call, first);
        requests.onNext(request);
        Waits.then(first.future, (reply, failure) -> {
            if (failure == null) {
                requests.onCompleted();
            }
        });
        return first.future;
    }

    private static final class First<R> implements StreamObserver<R> {

        private final CompletableFuture<R> future = new CompletableFuture<>();

        @Override
        public void onNext(R reply) {
            future.complete(reply);
        }

        @Override
        public void onError(@Nullable Throwable failure) {
            future.completeExceptionally(failure == null ? Status.UNKNOWN.asRuntimeException() : failure);
        }

        @Override
        public void onCompleted() {
            onError(Status.UNAVAILABLE
                    .withDescription("the call ended without an answer")
                    .asRuntimeException());
        }
    }
}
