package dev.fence.effects;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;

/** The way to {@link HttpProvider}. */
final class HttpChannel implements EffectChannel<String, String> {

    private final HttpClient client = HttpClient.newHttpClient();
    private final String url;

    HttpChannel(String url) {
        this.url = url;
    }

    @Override
    public ChannelTraits traits() {
        return ChannelTraits.keyed("payout", Duration.ofHours(24), Duration.ofSeconds(1))
                .withSearchCompleteAfter(Duration.ofSeconds(1))
                .withAttemptCap(100);
    }

    @Override
    public Answer<String> execute(EffectKey key, String request, Duration timeLeft)
            throws IOException, InterruptedException {
        HttpResponse<String> response = client.send(
                HttpRequest.newBuilder(URI.create(url + "/pay"))
                        .header("Idempotency-Key", key.text())
                        .timeout(timeLeft)
                        .POST(HttpRequest.BodyPublishers.ofString(request))
                        .build(),
                BodyHandlers.ofString());
        return switch (response.statusCode()) {
            case 200 ->
                new Answer.Done<>(
                        response.body(),
                        response.body(),
                        response.headers()
                                .firstValue("Replayed")
                                .map(Boolean::parseBoolean)
                                .orElse(false));
            case 409 -> new Answer.InProgress<>("409");
            default -> new Answer.Unknown<>("status " + response.statusCode());
        };
    }

    @Override
    public Found<String> lookUp(EffectKey key, String request, Duration timeLeft)
            throws IOException, InterruptedException {
        HttpResponse<String> response = client.send(
                HttpRequest.newBuilder(URI.create(url + "/find?" + key.text()))
                        .timeout(timeLeft)
                        .build(),
                BodyHandlers.ofString());
        return switch (response.statusCode()) {
            case 200 -> new Found.Happened<>(response.body(), response.body());
            case 404 -> new Found.Nothing<>();
            default -> new Found.CannotTell<>("status " + response.statusCode());
        };
    }

    @Override
    public Map<String, String> stableFields(String request) {
        return Map.of("request", request);
    }

    @Override
    public Codec<String> requests() {
        return Codec.text();
    }

    @Override
    public Codec<String> results() {
        return Codec.text();
    }
}
