package dev.fence.etcd;

import dev.fence.BusyException;
import dev.fence.FenceException;
import dev.fence.UnsupportedStoreException;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletionException;

/** What the failure of a call to etcd means. */
final class Failures {

    private Failures() {}

    /** Whether the call may or may not have taken effect, and may be answered if it is asked again. */
    static boolean isUnanswered(Throwable failure) {
        return switch (status(failure).getCode()) {
            case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, INTERNAL, UNKNOWN, ABORTED, RESOURCE_EXHAUSTED -> true;
            default -> isTokenRefused(failure);
        };
    }

    /** Not what this client cancelled, and not what the service, well enough to say so, has no room for. */
    static boolean isEndpointsFault(Throwable failure) {
        return switch (status(failure).getCode()) {
            case UNAVAILABLE, DEADLINE_EXCEEDED, INTERNAL, UNKNOWN -> true;
            default -> false;
        };
    }

    /** Whether the service said that it has no lease of this session. */
    static boolean isSessionGone(Throwable failure) {
        return status(failure).getCode() == Status.Code.NOT_FOUND;
    }

    /** Whether the service forgot the user's token, or it is from before a change of users or roles; nothing was done. */
    static boolean isTokenRefused(Throwable failure) {
        Status status = status(failure);
        return status.getCode() == Status.Code.UNAUTHENTICATED
                || (status.getCode() == Status.Code.INVALID_ARGUMENT && says(status, "revision of auth store"));
    }

    /** What the caller of fence gets to see. */
    static FenceException explain(String what, List<URI> endpoints, Throwable failure) {
        String message = what + " at etcd " + endpoints + ": " + describe(failure) + hint(status(failure));
        return isUnanswered(failure) || isSessionGone(failure)
                ? new BusyException(message, failure)
                : new UnsupportedStoreException(message, failure);
    }

    static String describe(Throwable failure) {
        Status status = status(failure);
        StringBuilder text = new StringBuilder(status.getCode().toString());
        String description = status.getDescription();
        if (description != null) {
            text.append(" (").append(description);
            Throwable root = status.getCause();
            while (root != null && root.getCause() != null) {
                root = root.getCause();
            }
            // gRPC says no more than "io exception" itself
            if (root != null && root.getMessage() != null && !description.contains(root.getMessage())) {
                text.append(": ").append(root.getMessage());
            }
            text.append(')');
        }
        return text.toString();
    }

    private static String hint(Status status) {
        if (says(status, "deadline exceeded")) {
            return "; it is silent, cut off, or without a majority of its members"; // its own deadline comes as UNKNOWN
        }
        return switch (status.getCode()) {
            case UNAVAILABLE ->
                says(status, "leader")
                        ? "; it is without a majority of its members, or between two leaders"
                        : "; nothing answers there as etcd does: is it the client URL, with http or https as etcd has it?";
            case UNIMPLEMENTED, UNKNOWN, INTERNAL -> "; does an etcd answer there?";
            case INVALID_ARGUMENT ->
                says(status, "user name is empty") ? "; it wants a user: EtcdSettings.withUser" : "";
            case PERMISSION_DENIED ->
                "; the user must be known, and be permitted to read and write below the namespace";
            default -> "";
        };
    }

    private static boolean says(Status status, String words) {
        String description = status.getDescription();
        return description != null && description.contains(words);
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
}
