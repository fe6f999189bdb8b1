package dev.fence.s3;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * What a throwable of the SDK says about the request.
 *
 * <table>
 *   <caption>Outcomes of a conditional PUT</caption>
 *   <tr><th>seen<th>answer
 *   <tr><td>412 on the only attempt<td>condition failed
 *   <tr><td>404 on the only attempt, but not of the bucket<td>missing
 *   <tr><td>301, 400 but RequestTimeout, 401, 403, 405, 411, 413, 404 of the bucket, on the only attempt<td>rejected
 *   <tr><td>connection refused, no route, unknown host, on the only attempt<td>not sent
 *   <tr><td>409, 429, 5xx, any other status, time-out, interrupt, any other throwable, and all of the above after a silent
 *       repetition by the SDK<td>ambiguous
 * </table>
 *
 * <p>The SDK repeats a request whose answer was lost, and a write that landed then meets its own condition: 412 by its own
 * hand. So what follows a repetition is never taken for a refusal.
 */
final class Answers {

    private static final Set<Integer> REJECTED = Set.of(301, 400, 401, 403, 405, 411, 413);

    private Answers() {}

    static ObjectStore.Put ofPut(Throwable thrown) {
        if (!isOnlyAttempt(thrown)) {
            return new ObjectStore.Put.Ambiguous(thrown);
        }
        if (!(thrown instanceof AwsServiceException e)) {
            return wasNotSent(thrown) ? new ObjectStore.Put.NotSent(thrown) : new ObjectStore.Put.Ambiguous(thrown);
        }
        if (e.statusCode() == 412) {
            return new ObjectStore.Put.ConditionFailed(e);
        }
        if (isRejection(e)) {
            return new ObjectStore.Put.Rejected(e);
        }
        return e.statusCode() == 404 ? new ObjectStore.Put.Missing(e) : new ObjectStore.Put.Ambiguous(e);
    }

    static ObjectStore.Get ofGet(Throwable thrown) {
        if (!(thrown instanceof AwsServiceException e)) {
            return new ObjectStore.Get.Failed(thrown);
        }
        if (isRejection(e)) {
            return new ObjectStore.Get.Rejected(e);
        }
        return e.statusCode() == 404 ? new ObjectStore.Get.Missing(e) : new ObjectStore.Get.Failed(e);
    }

    static boolean isRejection(AwsServiceException e) {
        return (REJECTED.contains(e.statusCode()) && !code(e).equals("RequestTimeout")) || isNoBucket(e);
    }

    static boolean isNoBucket(Throwable thrown) {
        return thrown instanceof AwsServiceException e && code(e).equals("NoSuchBucket");
    }

    /** Whether the SDK says that it sent the request once; if it does not say, it counts as repeated. */
    private static boolean isOnlyAttempt(Throwable thrown) {
        Integer attempts = thrown instanceof SdkException e ? e.numAttempts() : null;
        return attempts != null && attempts == 1;
    }

    private static boolean wasNotSent(Throwable thrown) {
        for (@Nullable Throwable t = thrown; t != null; t = t.getCause()) {
            if (t instanceof ConnectException
                    || t instanceof NoRouteToHostException
                    || t instanceof UnknownHostException) {
                return true;
            }
        }
        return false;
    }

    private static String code(AwsServiceException e) {
        String code = e.awsErrorDetails() == null ? null : e.awsErrorDetails().errorCode();
        return code == null ? "" : code;
    }
}
