package dev.fence.chaos;

import dev.fence.fixtures.EtcdMember;
import dev.fence.fixtures.Station;
import dev.fence.fixtures.TcpProxy;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The place of one worker after the other, with a network of its own to each etcd member, and a wall clock of its own. */
final class Seat implements AutoCloseable {

    private final String name;
    private final Setting setting;
    private final Consumer<Event> history;
    private final SplittableRandom random;
    private final Station station;
    private final List<TcpProxy> network = new ArrayList<>();
    private final Path clock;
    private @Nullable WorkerProcess process;
    private int processes;

    /**
     * What all workers of a run share.
     *
     * @param faketime the library that fakes the wall clock, or null if there is none
     */
    record Setting(
            String namespace,
            List<EtcdMember> members,
            String jdbcUrl,
            String user,
            String password,
            Path folder,
            @Nullable Path faketime,
            Grounds grounds) {}

    Seat(String name, Setting setting, Consumer<Event> history, SplittableRandom random) throws IOException {
        this.name = name;
        this.setting = setting;
        this.history = history;
        this.random = random;
        this.clock = setting.folder().resolve(name + ".clock");
        stepClock(0);
        this.station = setting.grounds().forWorker();
        for (int i = 0; i < setting.members().size(); i++) {
            URI target = URI.create(setting.members().get(i).endpoint());
            Station way = setting.grounds().ways().get(i);
            network.add(TcpProxy.at(way.address(), target.getHost(), target.getPort()));
        }
    }

    /** Starts a worker, after a kill another. */
    void start() throws IOException {
        processes++;
        // Not always the same endpoint first.
        List<TcpProxy> order = new ArrayList<>(network);
        Collections.rotate(order, random.nextInt(order.size()));
        List<String> endpoints = order.stream()
                .map(proxy -> "http://" + proxy.host() + ":" + proxy.port())
                .toList();
        process = new WorkerProcess(
                name + "." + processes,
                history,
                setting.folder(),
                environment(),
                station,
                List.of(
                        String.join(",", endpoints),
                        setting.namespace(),
                        setting.jdbcUrl(),
                        setting.user(),
                        Long.toString(random.nextLong())));
    }

    private Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>(Map.of("CHAOS_PASSWORD", setting.password()));
        Path faketime = setting.faketime();
        if (faketime != null) {
            environment.put("LD_PRELOAD", faketime.toString());
            environment.put("FAKETIME_TIMESTAMP_FILE", clock.toString());
            environment.put("FAKETIME_DONT_FAKE_MONOTONIC", "1");
            environment.put("FAKETIME_CACHE_DURATION", "1");
        }
        return environment;
    }

    boolean hasClock() {
        return setting.faketime() != null;
    }

    /** Sets the wall clock, and nothing else, off by so much. */
    void stepClock(long seconds) throws IOException {
        Files.writeString(clock, (seconds < 0 ? "" : "+") + seconds, StandardCharsets.US_ASCII);
    }

    String name() {
        return name;
    }

    /** Where its workers run. */
    Station station() {
        return station;
    }

    /** One way for each member. */
    List<TcpProxy> network() {
        return network;
    }

    WorkerProcess worker() {
        WorkerProcess present = process;
        if (present == null) {
            throw new IllegalStateException(name + " has no worker");
        }
        return present;
    }

    @Override
    public void close() {
        network.forEach(TcpProxy::close);
        station.close();
    }
}
