package dev.fence.s3;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An object store in this process, over HTTP: path-style S3 with conditional PUTs that are evaluated and carried out in one
 * atomic step per key. On demand it is bent as real stores are ({@link Bend}), and its next answers go wrong ({@link Fault}).
 *
 * <p>Every bucket exists. Signatures are not checked. Safe for use by several threads.
 */
final class FakeS3 implements AutoCloseable {

    /** How a store differs from what the protocol rests on, or may differ without harm. */
    enum Bend {
        IGNORES_IF_NONE_MATCH,
        IGNORES_IF_MATCH,
        CREATES_ON_IF_MATCH_AT_MISSING_KEY,
        ANSWERS_304_INSTEAD_OF_412,
        CHECKS_THEN_ACTS,
        WANTS_TAGS_UNQUOTED,
        GIVES_ALL_THE_SAME_TAG,
        GIVES_NO_TAG,
        READS_LAG_BEHIND,
        REMEMBERS_TAGS_OF_REMOVED_OBJECTS,
        ANSWERS_501_TO_CONDITIONS,
        ANSWERS_200_TO_WHAT_IT_REFUSES,
        STORES_WHAT_IT_REFUSES,
        /** Harmless: 412 where others answer 404. */
        ANSWERS_412_AT_MISSING_KEY,
        /** Harmless: 409 instead of 412 while another write is under way. */
        ANSWERS_409_TO_LOST_RACES,
        /** Harmless: a server error instead of 412 while another write is under way. */
        ANSWERS_500_TO_LOST_RACES,
        /** For uploads that are larger than memory: keeps how many bytes the parts had, and no byte of them. */
        COUNTS_PARTS_ALONE
    }

    /** What goes wrong with one request. */
    enum Fault {
        /** Nothing: the request before one that fails. */
        NONE,
        /** The connection is cut and nothing is done. */
        DROP_BEFORE,
        /** It is done and the connection is cut. */
        DROP_AFTER,
        /** The connection is cut, and it is tried when {@link #releaseLate()} is called. */
        LATE,
        ERROR_500_BEFORE,
        ERROR_500_AFTER,
        UNAVAILABLE_503,
        CONFLICT_409,
        /** 409 although it was done. */
        CONFLICT_409_AFTER,
        FORBIDDEN_403
    }

    static {
        // Otherwise each answer waits 40 ms for the client's delayed acknowledgement of its headers.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    final FakeObjects objects;
    private final Set<Bend> bends;
    private final Map<String, Deque<Fault>> faults = new ConcurrentHashMap<>();
    private final Map<String, Deque<Runnable>> hooks = new ConcurrentHashMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<Runnable> late = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger threads = new AtomicInteger();
    private final ExecutorService workers = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "fake-s3-" + threads.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    });
    private final HttpServer server;

    FakeS3(Bend... bends) {
        this.bends = bends.length == 0 ? Set.of() : EnumSet.copyOf(Arrays.asList(bends));
        this.objects = new FakeObjects(this.bends);
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(workers);
        server.createContext("/", this::handle);
        server.start();
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** The next requests with this method go wrong, one for each fault, in this order. */
    FakeS3 next(String method, Fault... next) {
        faults.computeIfAbsent(method, m -> new ConcurrentLinkedDeque<>()).addAll(Arrays.asList(next));
        return this;
    }

    /** Before the next request with this method is looked at, {@code action} runs, once. */
    FakeS3 beforeNext(String method, Runnable action) {
        hooks.computeIfAbsent(method, m -> new ConcurrentLinkedDeque<>()).add(action);
        return this;
    }

    /** Forgets the faults that have not come yet. */
    void behave() {
        faults.clear();
    }

    /** Lets everything that is late arrive now. */
    void releaseLate() {
        List<Runnable> arrived;
        synchronized (late) {
            arrived = List.copyOf(late);
            late.clear();
        }
        arrived.forEach(Runnable::run);
    }

    /** Method and key of each request since the last call of {@link #forgetRequests()}. */
    List<String> requests() {
        return List.copyOf(requests);
    }

    void forgetRequests() {
        requests.clear();
    }

    /** From now on objects look this much older. */
    void age(Duration by) {
        objects.age(by);
    }

    private void handle(HttpExchange exchange) {
        try (exchange) {
            FakeRequest request = FakeRequest.read(exchange);
            requests.add(request.method() + " " + request.key());
            Runnable hook = poll(hooks, request.method());
            if (hook != null) {
                hook.run();
            }
            Fault fault = poll(faults, request.method());
            if (fault == null || fault == Fault.NONE) {
                objects.answer(request).send(exchange, bends);
            } else {
                fail(exchange, request, fault);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void fail(HttpExchange exchange, FakeRequest request, Fault fault) throws IOException {
        switch (fault) {
            case NONE, DROP_BEFORE -> {}
            case DROP_AFTER -> objects.answer(request);
            case LATE -> late.add(() -> objects.answer(request));
            case ERROR_500_BEFORE -> FakeAnswer.error(500, "InternalError").send(exchange, bends);
            case ERROR_500_AFTER -> {
                objects.answer(request);
                FakeAnswer.error(500, "InternalError").send(exchange, bends);
            }
            case UNAVAILABLE_503 -> FakeAnswer.error(503, "SlowDown").send(exchange, bends);
            case CONFLICT_409 ->
                FakeAnswer.error(409, "ConditionalRequestConflict").send(exchange, bends);
            case CONFLICT_409_AFTER -> {
                objects.answer(request);
                FakeAnswer.error(409, "ConditionalRequestConflict").send(exchange, bends);
            }
            case FORBIDDEN_403 -> FakeAnswer.error(403, "AccessDenied").send(exchange, bends);
        }
    }

    private static <T> @Nullable T poll(Map<String, Deque<T>> queues, String method) {
        return queues.getOrDefault(method, new ArrayDeque<>()).pollFirst();
    }

    @Override
    public void close() {
        stop();
    }

    /** No answers from here on, not even to connect. */
    void stop() {
        server.stop(0);
        workers.shutdownNow();
    }
}
