package dev.fence.s3;

import com.sun.net.httpserver.HttpExchange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a client asked for. */
@SuppressWarnings("ArrayRecordComponent") // never compared, never changed
record FakeRequest(
        String method,
        String bucket,
        String key,
        Map<String, String> query,
        @Nullable String ifMatch,
        @Nullable String ifNoneMatch,
        byte[] body) {

    static FakeRequest read(HttpExchange exchange) throws IOException {
        String[] path = exchange.getRequestURI().getRawPath().substring(1).split("/", 2);
        byte[] body = exchange.getRequestBody().readAllBytes();
        return new FakeRequest(
                exchange.getRequestMethod(),
                path[0],
                path.length > 1 ? decode(path[1].replace("+", "%2B")) : "",
                query(exchange.getRequestURI().getRawQuery()),
                exchange.getRequestHeaders().getFirst("If-Match"),
                exchange.getRequestHeaders().getFirst("If-None-Match"),
                isChunked(exchange) ? unchunked(body) : body);
    }

    private static boolean isChunked(HttpExchange exchange) {
        String hash = exchange.getRequestHeaders().getFirst("x-amz-content-sha256");
        return hash != null && hash.startsWith("STREAMING");
    }

    /** The SDK's own chunks: {@code <hex size>[;extensions]CRLF<bytes>CRLF}, then a chunk of size zero and trailers. */
    private static byte[] unchunked(byte[] body) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(body.length);
        try (InputStream in = new ByteArrayInputStream(body)) {
            for (int size = size(in); size > 0; size = size(in)) {
                bytes.write(in.readNBytes(size));
                in.skipNBytes(2);
            }
        }
        return bytes.toByteArray();
    }

    private static int size(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            line.append((char) c);
        }
        return Integer.parseInt(line.toString().strip().split(";", 2)[0], 16);
    }

    private static Map<String, String> query(@Nullable String raw) {
        Map<String, String> query = new HashMap<>();
        for (String pair : raw == null || raw.isEmpty() ? new String[0] : raw.split("&", -1)) {
            String[] parts = pair.split("=", 2);
            query.put(decode(parts[0]), parts.length > 1 ? decode(parts[1]) : "");
        }
        return query;
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
