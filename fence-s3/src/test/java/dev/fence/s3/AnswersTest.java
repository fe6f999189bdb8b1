package dev.fence.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.s3.ObjectStore.Get;
import dev.fence.s3.ObjectStore.Put;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** The whole table of outcomes. */
class AnswersTest {

    @ParameterizedTest
    @CsvSource({
        "412, PreconditionFailed, ConditionFailed, Failed",
        "404, NoSuchKey, Missing, Missing",
        "404, NoSuchBucket, Rejected, Rejected",
        "301, PermanentRedirect, Rejected, Rejected",
        "400, InvalidRequest, Rejected, Rejected",
        "400, RequestTimeout, Ambiguous, Failed",
        "401, Unauthorized, Rejected, Rejected",
        "403, AccessDenied, Rejected, Rejected",
        "405, MethodNotAllowed, Rejected, Rejected",
        "411, MissingContentLength, Rejected, Rejected",
        "413, EntityTooLarge, Rejected, Rejected",
        "304, NotModified, Ambiguous, Failed",
        "408, Timeout, Ambiguous, Failed",
        "409, ConditionalRequestConflict, Ambiguous, Failed",
        "418, Unmapped, Ambiguous, Failed",
        "429, TooManyRequests, Ambiguous, Failed",
        "500, InternalError, Ambiguous, Failed",
        "501, NotImplemented, Ambiguous, Failed",
        "503, SlowDown, Ambiguous, Failed"
    })
    void eachStatusHasItsAnswerAndNoneIsARefusalAfterARepetition(int status, String code, String put, String get) {
        assertThat(Answers.ofPut(error(status, code, 1)).getClass().getSimpleName())
                .isEqualTo(put);
        assertThat(Answers.ofPut(error(status, code, 2))).isInstanceOf(Put.Ambiguous.class);
        assertThat(Answers.ofGet(error(status, code, 1)).getClass().getSimpleName())
                .isEqualTo(get);
        assertThat(Answers.ofGet(error(status, code, 2)).getClass().getSimpleName())
                .isEqualTo(get);
    }

    static Stream<Throwable> whateverElse() {
        return Stream.of(
                ApiCallTimeoutException.create(1),
                AbortedException.create("interrupted"),
                client(new SocketTimeoutException(), 1),
                new IllegalStateException("the stream cannot be read again"),
                new CancellationException(),
                new OutOfMemoryError("simulated"));
    }

    @ParameterizedTest
    @MethodSource("whateverElse")
    void anyOtherThrowableIsAmbiguous(Throwable thrown) {
        assertThat(Answers.ofPut(thrown)).isInstanceOf(Put.Ambiguous.class);
        assertThat(Answers.ofGet(thrown)).isInstanceOf(Get.Failed.class);
    }

    @Test
    void whatCouldNotConnectWasNotSentUnlessItWasRepeated() {
        assertThat(Answers.ofPut(client(new ConnectException(), 1))).isInstanceOf(Put.NotSent.class);
        assertThat(Answers.ofPut(client(new ConnectException(), 2))).isInstanceOf(Put.Ambiguous.class);
    }

    @Test
    void anErrorThatDoesNotSayHowOftenItWasTriedCountsAsRepeated() {
        S3Exception silent = (S3Exception)
                S3Exception.builder().statusCode(412).message("412").build();

        assertThat(Answers.ofPut(silent)).isInstanceOf(Put.Ambiguous.class);
    }

    @Test
    void aBucketThatDoesNotExistIsNotTakenForAMissingPermission() {
        assertThat(Commit.rejected(error(404, "NoSuchBucket", 1)))
                .hasMessageContaining("bucket does not exist")
                .hasMessageNotContaining("s3:GetObject");
        assertThat(Commit.rejected(error(403, "AccessDenied", 1))).hasMessageContaining("s3:GetObject");
    }

    private static Throwable client(Throwable cause, int attempts) {
        return SdkClientException.builder().cause(cause).numAttempts(attempts).build();
    }

    private static Throwable error(int status, String code, int attempts) {
        return S3Exception.builder()
                .statusCode(status)
                .numAttempts(attempts)
                .message(code)
                .awsErrorDetails(AwsErrorDetails.builder().errorCode(code).build())
                .build();
    }
}
