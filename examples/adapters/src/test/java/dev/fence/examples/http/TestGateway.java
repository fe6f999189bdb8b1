package dev.fence.examples.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A gateway with all the faults that gateways have. Its books are what the customers see. */
final class TestGateway implements AutoCloseable {

    /** What one payment call does. */
    enum Fate {
        PAY,
        LOSE_THE_REQUEST,
        LOSE_THE_REPLY,
        STILL_AT_IT,
        FAIL_AND_PAY,
        FAIL_AND_NOT_PAY,
        REFUSE,
        TOO_MANY
    }

    private record Booked(String id, String payment, long atNanos) {}

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "test-gateway");
        thread.setDaemon(true);
        return thread;
    });
    private final Queue<Fate> script = new ConcurrentLinkedQueue<>();
    private final Map<String, Booked> byKey = new ConcurrentHashMap<>();
    final Queue<String> payments = new ConcurrentLinkedQueue<>();
    final Queue<String> calls = new ConcurrentLinkedQueue<>();
    volatile long searchDelayMillis;

    TestGateway() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/payments", this::handle);
        server.start();
    }

    URI base() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    TestGateway then(Fate... fates) {
        script.addAll(List.of(fates));
        return this;
    }

    /** As at the end of its retention. */
    void forgetKeys() {
        byKey.clear();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (exchange.getRequestMethod().equals("GET")) {
                find(exchange);
            } else {
                pay(exchange);
            }
        }
    }

    private void find(HttpExchange exchange) throws IOException {
        Booked booked = byKey.get(exchange.getRequestURI().getPath().replaceAll(".*/", ""));
        boolean visible = booked != null
                && System.nanoTime() - booked.atNanos() >= TimeUnit.MILLISECONDS.toNanos(searchDelayMillis);
        answer(exchange, visible ? 200 : 404, booked == null ? "nothing" : booked.id());
    }

    private void pay(HttpExchange exchange) throws IOException {
        String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
        String payment = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        calls.add(key);
        Fate scripted = script.poll();
        switch (scripted == null ? Fate.PAY : scripted) {
            case PAY -> {
                Booked before = byKey.get(key);
                if (before != null && !before.payment().equals(payment)) {
                    answer(exchange, 422, "the key was used for another payment");
                    return;
                }
                if (before != null) {
                    exchange.getResponseHeaders().add("Idempotent-Replayed", "true");
                }
                answer(exchange, before == null ? 201 : 200, book(key, payment).id());
            }
            case LOSE_THE_REQUEST -> {}
            case LOSE_THE_REPLY -> book(key, payment);
            case STILL_AT_IT -> {
                book(key, payment);
                answer(exchange, 409, "still at it");
            }
            case FAIL_AND_PAY -> {
                book(key, payment);
                answer(exchange, 500, "out of order");
            }
            case FAIL_AND_NOT_PAY -> answer(exchange, 500, "out of order");
            case REFUSE -> answer(exchange, 402, "no funds");
            case TOO_MANY -> answer(exchange, 429, "slow down");
        }
    }

    private Booked book(String key, String payment) {
        return byKey.computeIfAbsent(key, k -> {
            payments.add(payment);
            return new Booked("pay-" + payments.size(), payment, System.nanoTime());
        });
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
