package dev.fence.examples.http;

import dev.fence.effects.Answer;
import dev.fence.effects.ChannelTraits;
import dev.fence.effects.Codec;
import dev.fence.effects.EffectChannel;
import dev.fence.effects.EffectKey;
import dev.fence.effects.Found;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;

/**
 * A payment gateway with idempotency keys: {@code POST /payments} with an {@code Idempotency-Key}, {@code GET /payments/<key>} to
 * search. What an answer means is what the gateway's documentation promises about it; whatever it is silent about is unknown.
 *
 * <p>The client must not repeat by itself: run the JVM with {@code -Djdk.httpclient.enableAllMethodRetry=false}, the default. A repeat with
 * the same key would do no harm here, but would not be on record.
 */
public final class HttpGateway implements EffectChannel<Payment, String> {

    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int PAYMENT_REQUIRED = 402;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int UNPROCESSABLE = 422;
    private static final int TOO_MANY_REQUESTS = 429;

    private final HttpClient client;
    private final URI base;
    private final ChannelTraits traits;

    /** @param keysKept for how long the gateway promises to know a key again */
    public HttpGateway(URI base, Duration keysKept, Duration callTimeout, Duration searchCompleteAfter) {
        this.base = base;
        this.client = HttpClient.newBuilder().connectTimeout(callTimeout).build();
        this.traits =
                ChannelTraits.keyed("payment", keysKept, callTimeout).withSearchCompleteAfter(searchCompleteAfter);
    }

    @Override
    public ChannelTraits traits() {
        return traits;
    }

    @Override
    public Answer<String> execute(EffectKey key, Payment payment, Duration timeLeft)
            throws IOException, InterruptedException {
        HttpResponse<String> answer;
        try {
            answer = client.send(
                    HttpRequest.newBuilder(base.resolve("/payments"))
                            .header("Idempotency-Key", key.text())
                            .timeout(timeLeft)
                            .POST(HttpRequest.BodyPublishers.ofString(payment.line()))
                            .build(),
                    BodyHandlers.ofString());
        } catch (ConnectException | HttpConnectTimeoutException e) {
            return new Answer.NotExecuted<>("no connection: " + e); // any other exception: the request may have arrived
        }
        boolean replayed = answer.headers().firstValue("Idempotent-Replayed").isPresent();
        return switch (answer.statusCode()) {
            case OK, CREATED -> new Answer.Done<>(answer.body(), answer.body(), replayed);
            case PAYMENT_REQUIRED -> new Answer.Refused<>(answer.body(), replayed);
            case CONFLICT -> new Answer.InProgress<>(answer.body());
            case UNPROCESSABLE -> new Answer.Conflict<>(answer.body());
            case TOO_MANY_REQUESTS -> new Answer.NotExecuted<>("too many requests");
            default -> new Answer.Unknown<>("status " + answer.statusCode() + ": " + answer.body());
        };
    }

    @Override
    public Found<String> lookUp(EffectKey key, Payment payment, Duration timeLeft)
            throws IOException, InterruptedException {
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(base.resolve("/payments/" + key.text()))
                        .timeout(timeLeft)
                        .build(),
                BodyHandlers.ofString());
        return switch (answer.statusCode()) {
            case OK -> new Found.Happened<>(answer.body(), answer.body());
            case NOT_FOUND -> new Found.Nothing<>();
            default -> new Found.CannotTell<>("status " + answer.statusCode());
        };
    }

    @Override
    public Map<String, String> stableFields(Payment payment) {
        return Map.of(
                "account",
                payment.account(),
                "amount",
                payment.amount().toPlainString(),
                "currency",
                payment.currency());
    }

    @Override
    public Codec<Payment> requests() {
        return Payment.CODEC;
    }

    @Override
    public Codec<String> results() {
        return Codec.text();
    }
}
