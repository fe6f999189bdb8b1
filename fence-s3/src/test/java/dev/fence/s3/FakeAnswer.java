package dev.fence.s3;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** What the fake store says. */
@SuppressWarnings("ArrayRecordComponent") // never compared, never changed
record FakeAnswer(int status, String tag, byte[] body) {

    private static final byte[] NOTHING = new byte[0];

    static FakeAnswer ok(String tag) {
        return new FakeAnswer(200, tag, NOTHING);
    }

    static FakeAnswer object(FakeObjects.Stored object) {
        return new FakeAnswer(200, object.tag(), object.bytes());
    }

    static FakeAnswer xml(String xml) {
        return new FakeAnswer(200, "", ("<?xml version=\"1.0\"?>" + xml).getBytes(StandardCharsets.UTF_8));
    }

    static FakeAnswer nothing() {
        return new FakeAnswer(204, "", NOTHING);
    }

    static FakeAnswer error(int status, String code) {
        String xml = "<?xml version=\"1.0\"?><Error><Code>" + code + "</Code><Message>" + code + "</Message></Error>";
        return new FakeAnswer(status, "", xml.getBytes(StandardCharsets.UTF_8));
    }

    boolean isSuccess() {
        return status < 300;
    }

    void send(HttpExchange exchange, Set<FakeS3.Bend> bends) throws IOException {
        if (!tag.isEmpty() && !bends.contains(FakeS3.Bend.GIVES_NO_TAG)) {
            exchange.getResponseHeaders().set("ETag", tag);
        }
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.getResponseHeaders().set("Content-Length", Integer.toString(isSuccess() ? body.length : 0));
            exchange.sendResponseHeaders(status, -1);
            return;
        }
        boolean bodiless = body.length == 0 || status == 204 || status == 304;
        exchange.sendResponseHeaders(status, bodiless ? -1 : body.length);
        if (!bodiless) {
            exchange.getResponseBody().write(body);
        }
    }
}
