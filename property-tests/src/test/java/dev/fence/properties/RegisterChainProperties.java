package dev.fence.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.Fence;
import dev.fence.FenceException;
import dev.fence.FencedWriter;
import dev.fence.Lease;
import dev.fence.LeaseSettings;
import dev.fence.SessionTiming;
import dev.fence.fixtures.InMemoryLeaseService;
import dev.fence.fixtures.InMemoryLeases;
import dev.fence.fixtures.VirtualTime;
import dev.fence.jdbc.JdbcFenceSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;

/**
 * A register that holders race for with threads of their own, on a real PostgreSQL: each reads, computes, and writes what
 * replaces the value that it read. The lease service gives the lease to the next one while the last one still works, all the
 * time. The accepted writes must form one chain.
 */
class RegisterChainProperties {

    private static final int HOLDERS = 4;
    private static final int TERMS = 12;
    private static final int MOST_ROUNDS = 20;
    private static final int MOST_UPDATES_PER_TERM = 6;
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final String LEASE = "payouts";

    @Property(generation = GenerationMode.EXHAUSTIVE)
    void withTheFenceAcceptedWritesFormOneChain(@ForAll Isolation isolation) throws Exception {
        JdbcFenceSettings settings = JdbcFenceSettings.DEFAULTS.withLongestTransaction(Duration.ofSeconds(10));
        try (RealDatabase database = new RealDatabase("register", isolation, settings)) {
            Subject subject = database.newSubject();
            Race race = new Race(subject.fence(), subject.resource());

            race.runUntil(() -> race.refused.get() > 0);

            assertThat(race.brokenLinks(subject.look().landed())).isEmpty();
            assertThat(subject.look().landed()).as("updates").hasSizeGreaterThan(TERMS);
            assertThat(race.refused.get()).as("writes that came too late").isPositive();
        }
    }

    @Example
    void withoutItTheyDoNot() throws Exception {
        try (RealDatabase database =
                new RealDatabase("register", Isolation.READ_COMMITTED, JdbcFenceSettings.DEFAULTS)) {
            Subject subject = database.newSubject();
            Race race = new Race(database.plainFence(), subject.resource());

            race.runUntil(() -> !race.brokenLinks(subject.look().landed()).isEmpty());

            assertThat(race.brokenLinks(subject.look().landed())).isNotEmpty();
        }
    }

    /** Holders with threads of their own, and what each write said that it replaces. */
    private static final class Race {

        private final InMemoryLeaseService service =
                new InMemoryLeaseService("home", new VirtualTime(), SessionTiming.DEFAULTS);
        private final Fence<Register> fence;
        private final String resource;
        private final Map<Long, Long> replaces = new ConcurrentHashMap<>();
        private final AtomicLong numbers = new AtomicLong();
        private final AtomicLong refused = new AtomicLong();
        private final long seed = Search.seed();

        Race(Fence<Register> fence, String resource) {
            this.fence = fence;
            this.resource = resource;
        }

        /** Who comes too late is a matter of luck, that somebody does is not. */
        void runUntil(BooleanSupplier enough) throws Exception {
            for (int round = 0; round == 0 || (round < MOST_ROUNDS && !enough.getAsBoolean()); round++) {
                run();
            }
        }

        private void run() throws Exception {
            try (InMemoryLeases founder = service.connect()) {
                fence.create(founder.tryAcquire(LEASE, LeaseSettings.DEFAULTS).orElseThrow(), resource);
            }
            ExecutorService threads = Executors.newFixedThreadPool(HOLDERS, task -> {
                Thread thread = new Thread(task, "holder-in-a-race");
                thread.setDaemon(true);
                return thread;
            });
            List<Future<?>> holders = new ArrayList<>();
            for (int i = 0; i < HOLDERS; i++) {
                Random random = new Random(seed + i);
                holders.add(threads.submit(() -> hold(random)));
            }
            threads.shutdown();
            for (Future<?> holder : holders) {
                holder.get(LONGEST.toSeconds(), TimeUnit.SECONDS);
            }
        }

        private void hold(Random random) {
            try (InMemoryLeases leases = service.connect()) {
                for (int term = 0; term < TERMS; term++) {
                    if (random.nextInt(3) == 0) {
                        // Whoever has it loses it and is not told: what is refused then is refused by the resource.
                        service.giveAway(LEASE);
                    }
                    try (Lease lease = leases.acquire(LEASE, LONGEST)) {
                        work(lease, random);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
        }

        private void work(Lease lease, Random random) {
            try {
                FencedWriter<Register> writer = fence.seal(lease, resource);
                int updates = 1 + random.nextInt(MOST_UPDATES_PER_TERM);
                for (int i = 0; i < updates; i++) {
                    long read = writer.<Long, RuntimeException>call(Register::read);
                    long number = numbers.incrementAndGet();
                    replaces.put(number, read);
                    writer.<RuntimeException>write(register -> register.write(new Register.Value(number, number)));
                }
            } catch (FenceException e) {
                refused.incrementAndGet();
            }
        }

        /** Accepted writes that did not replace what they say. */
        List<String> brokenLinks(List<Long> landed) {
            List<String> broken = new ArrayList<>();
            Map<Long, Long> replacedBy = new HashMap<>();
            long before = 0;
            for (long number : landed) {
                long said = replaces.getOrDefault(number, -1L);
                Long twice = replacedBy.put(said, number);
                if (said != before || twice != null) {
                    broken.add("#" + number + " was computed from #" + said + " and replaced #" + before + " (seed "
                            + seed + ")");
                }
                before = number;
            }
            return broken;
        }
    }
}
