package dev.fence.examples.money;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.fence.examples.http.Payment;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A bank with idempotency keys and a bad line: each fourth reply is lost, and half of those whose reply was lost can be found in
 * its statement alone. Refuses one account.
 */
final class Bank implements AutoCloseable {

    static final String BLOCKED = "BLOCKED";
    private static final int LOST = 4;

    private record Booked(int id, Payment payment, Instant at) {}

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "bank");
        thread.setDaemon(true);
        return thread;
    });
    private final Map<String, Booked> books = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<String> paid = new ConcurrentLinkedQueue<>();
    private final AtomicInteger calls = new AtomicInteger();

    Bank() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/payments", this::payments);
        server.createContext("/statement", this::statement);
        server.start();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** How many payments it made, whatever the keys. */
    int payments() {
        return paid.size();
    }

    private void payments(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (exchange.getRequestMethod().equals("GET")) {
                answer(exchange, 503, "the search is down: see the statement");
                return;
            }
            String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
            Payment payment =
                    Payment.parse(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            if (payment.account().equals(BLOCKED)) {
                answer(exchange, 402, "the account is blocked");
                return;
            }
            boolean replayed = books.containsKey(key);
            Booked booked = books.computeIfAbsent(key, k -> {
                paid.add(payment.line());
                return new Booked(paid.size(), payment, Instant.now());
            });
            // A payment whose number is a multiple of 8 never gets a reply; others get one when asked again.
            boolean unlucky = booked.id() % (2 * LOST) == 0;
            if (unlucky || calls.incrementAndGet() % LOST == 0) {
                return;
            }
            if (replayed) {
                exchange.getResponseHeaders().add("Idempotent-Replayed", "true");
            }
            answer(exchange, replayed ? 200 : 201, "bank-" + booked.id());
        }
    }

    private void statement(HttpExchange exchange) throws IOException {
        try (exchange) {
            StringBuilder csv = new StringBuilder("end_to_end_id,amount,currency,booked_at,transaction_id\n");
            books.forEach((key, booked) -> csv.append(key)
                    .append(',')
                    .append(booked.payment().amount().toPlainString())
                    .append(',')
                    .append(booked.payment().currency())
                    .append(',')
                    .append(booked.at())
                    .append(",bank-")
                    .append(booked.id())
                    .append('\n'));
            answer(exchange, 200, csv.toString());
        }
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
