package dev.fence.effects;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A payment gateway for real processes: honours idempotency keys, loses replies, answers 409 and 500, searches late. Its books are
 * what the customers see.
 */
final class HttpProvider implements AutoCloseable {

    private record Payment(String reference, long atNanos) {}

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "test-provider");
        thread.setDaemon(true);
        return thread;
    });
    private final Random random;
    private final long searchDelayNanos;
    private final Map<String, Payment> books = new ConcurrentHashMap<>();
    final Map<String, Integer> calls = new ConcurrentHashMap<>();

    HttpProvider(long seed, long searchDelayMillis) throws IOException {
        random = new Random(seed);
        searchDelayNanos = searchDelayMillis * 1_000_000;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/pay", this::pay);
        server.createContext("/find", this::find);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    int payments() {
        return books.size();
    }

    private synchronized int chance(int n) {
        return random.nextInt(n);
    }

    private void pay(HttpExchange exchange) throws IOException {
        String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
        calls.merge(key, 1, Integer::sum);
        int fate = chance(100);
        if (fate < 2) {
            exchange.close(); // the request is lost
            return;
        }
        if (fate < 4) {
            answer(exchange, books.containsKey(key) ? 409 : 500, "try later");
            return;
        }
        boolean replayed = !books.containsKey(key);
        Payment payment = books.computeIfAbsent(key, k -> new Payment("tx-" + k, System.nanoTime()));
        if (fate < 9) {
            exchange.close(); // the reply is lost
            return;
        }
        exchange.getResponseHeaders().add("Replayed", String.valueOf(!replayed));
        answer(exchange, 200, payment.reference());
    }

    private void find(HttpExchange exchange) throws IOException {
        Payment payment = books.get(exchange.getRequestURI().getQuery());
        if (chance(100) < 5) {
            exchange.close();
        } else if (payment == null || System.nanoTime() - payment.atNanos() < searchDelayNanos) {
            answer(exchange, 404, "");
        } else {
            answer(exchange, 200, payment.reference());
        }
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
