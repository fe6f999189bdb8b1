package dev.fence.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.Grant;
import dev.fence.Lease;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What holds on every store that the probe accepts, with many requests at once. */
abstract class ObjectRaceContract extends ObjectFenceContract {

    private static final int HOLDERS = 4;
    private static final int RACERS_PER_HOLDER = 2;
    private static final int WRITES_PER_HOLDER = 5;

    /** Starts a racer; it ends by itself when its grant is superseded. */
    interface Start {
        Future<?> racer(Grant grant, Consumer<String> says);
    }

    @Test
    void holdersThatRaceInThreadsAreToldTheTruthAndTokensNeverFall() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            race((grant, says) -> threads.submit(() -> Racer.race(fence(), resource, grant, says)));
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void threadsOfOneHolderLoseNoUpdate() throws Exception {
        ObjectWriter writer = created();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                workers.add(threads.submit(() -> {
                    for (int n = 0; n < 10; n++) {
                        writer.update(present -> Integer.toString(present.map(v -> Integer.parseInt(text(v)))
                                                .orElse(0)
                                        + 1)
                                .getBytes(UTF_8));
                    }
                }));
            }
            for (Future<?> worker : workers) {
                worker.get(2, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(read()).contains("40");
    }

    @Test
    void threadsOfOneHolderThatPutAtOnceAllSucceed() throws Exception {
        ObjectWriter writer = created();
        ObjectWriter otherProcess = fence().attach(writer.grant(), resource);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                ObjectWriter own = i % 2 == 0 ? writer : otherProcess;
                workers.add(threads.submit(() -> {
                    for (int n = 0; n < 10; n++) {
                        put(own, "value");
                    }
                }));
            }
            for (Future<?> worker : workers) {
                worker.get(2, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
        Stamp stamp = ((Envelope.Read.Stamped) Envelope.read(raw().orElseThrow().getBytes(UTF_8))).stamp();
        assertThat(stamp.sequence()).as("the creation and 40 writes").isEqualTo(41);
    }

    /** Holders come one after the other, while racers under every grant, sealed or not, write at once. */
    void race(Start start) throws Exception {
        List<Lease> leases = new ArrayList<>();
        List<Future<?>> racers = new ArrayList<>();
        List<String> told = new CopyOnWriteArrayList<>();
        for (int i = 0; i < HOLDERS; i++) {
            Lease lease = holders.next();
            leases.add(lease);
            if (i == 0) {
                fence().create(lease, resource);
            }
            fence().seal(lease, resource);
            for (int n = 0; n < RACERS_PER_HOLDER; n++) {
                racers.add(start.racer(lease.grant(), told::add));
            }
            awaitWritesOf(lease);
        }
        fence().seal(holders.next(), resource);
        for (Future<?> racer : racers) {
            racer.get(2, TimeUnit.MINUTES);
        }
        assertToldTheTruth(List.copyOf(told), leases);
    }

    /** The next holder comes while this one is at work. */
    private void awaitWritesOf(Lease lease) {
        String line = lease.token() + " ";
        long start = System.nanoTime();
        while (lines().stream().filter(l -> l.startsWith(line)).count() < WRITES_PER_HOLDER) {
            assertThat(System.nanoTime() - start).as("waiting for writes").isLessThan(TimeUnit.MINUTES.toNanos(1));
        }
    }

    private void assertToldTheTruth(List<String> told, List<Lease> leases) {
        List<String> lines = lines();
        List<Long> tokens =
                lines.stream().map(l -> Long.valueOf(l.split(" ", -1)[0])).toList();
        assertThat(tokens).isSorted();
        assertThat(tokens).contains(leases.stream().map(l -> l.token().value()).toArray(Long[]::new));
        for (String line : told) {
            String id = line.split(" ", -1)[1];
            int landed = Collections.frequency(
                    lines.stream().map(l -> l.split(" ", -1)[1]).toList(), id);
            switch (line.split(" ", -1)[0]) {
                case "APPLIED" -> assertThat(landed).as(line).isEqualTo(1);
                case "REFUSED" -> assertThat(landed).as(line).isZero();
                default -> assertThat(landed).as(line).isLessThanOrEqualTo(1);
            }
        }
        assertThat(told).hasSizeGreaterThanOrEqualTo(lines.size()).anyMatch(l -> l.startsWith("REFUSED"));
    }

    private List<String> lines() {
        return read().map(value -> value.lines().toList()).orElse(List.of());
    }
}
