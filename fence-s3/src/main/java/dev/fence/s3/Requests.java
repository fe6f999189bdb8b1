package dev.fence.s3;

import dev.fence.BusyException;
import java.util.function.Supplier;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;

/** Requests that may be sent any number of times. */
final class Requests {

    private Requests() {}

    /**
     * @throws dev.fence.UnsupportedStoreException if the store rejects the request
     * @throws BusyException if it was not answered in time
     */
    static <T> T repeat(String what, Patience patience, Supplier<T> request) {
        SdkException last;
        do {
            try {
                return request.get();
            } catch (AwsServiceException e) {
                if (Answers.isRejection(e)) {
                    throw Commit.rejected(e);
                }
                last = e;
            } catch (SdkException e) {
                last = e;
            }
        } while (patience.pause());
        throw new BusyException("could not " + what + " in time", last);
    }
}
