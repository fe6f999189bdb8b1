package dev.fence.effects;

import dev.fence.BusyException;
import dev.fence.FenceException;
import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.OutcomeUnknownException;
import dev.fence.SessionTiming;
import dev.fence.fixtures.InMemoryLeaseService;
import dev.fence.fixtures.InMemoryLeases;
import dev.fence.fixtures.VirtualTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Processes that run the same effects under the same lease, one timeline at a time on one thread. A pause is played by letting a
 * successor run, whole, in the middle of what the paused process was doing, which then goes on where it stood.
 */
final class SimulatedWorld {

    static final List<String> ITEMS = List.of("a", "b", "c");

    private static final Duration TTL = Duration.ofSeconds(10);
    private static final int DEEPEST = 3;

    /** The process is killed. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1;
    }

    private final VirtualTime time = new VirtualTime();
    private final InMemoryLeaseService service =
            new InMemoryLeaseService("sim", time, new SessionTiming(TTL, Duration.ofMillis(500), Duration.ZERO));
    private final Choices choices;
    private final Map<String, Outcome<String>> lastSaid = new HashMap<>();
    private @Nullable InMemoryLeases running;
    private int depth;

    SimulatedWorld(Choices choices) {
        this.choices = choices;
    }

    VirtualTime time() {
        return time;
    }

    int choose(int n) {
        return choices.among(n);
    }

    /** Nothing goes wrong from here on. */
    void calm() {
        choices.areUsedUp();
    }

    /** Nothing; or the process is killed; or paused until its successor has done its work; or time goes by. */
    void somethingMayHappen() {
        switch (choices.among(6)) {
            case 1 -> throw new Killed();
            case 2 -> pause();
            case 3 -> time.advance(SimulatedProvider.SEARCH_DELAY);
            case 4 -> time.advance(Duration.ofSeconds(3));
            default -> {}
        }
    }

    private void pause() {
        if (depth < DEEPEST) {
            InMemoryLeases paused = running;
            time.advance(TTL.plusSeconds(1));
            process(journals(), provider());
            running = paused;
        }
    }

    private EffectTimelines.@Nullable Journals journals;
    private @Nullable SimulatedProvider provider;

    private EffectTimelines.Journals journals() {
        return Objects.requireNonNull(journals);
    }

    private SimulatedProvider provider() {
        return Objects.requireNonNull(provider);
    }

    /** Runs processes one after the other: the first with what chance brings, the last when chance is used up. */
    Map<String, Outcome<String>> play(EffectTimelines.Journals journals, SimulatedProvider provider, int processes) {
        this.journals = journals;
        this.provider = provider;
        for (int i = 0; i < processes; i++) {
            process(journals, provider);
        }
        return lastSaid;
    }

    private void process(EffectTimelines.Journals journals, SimulatedProvider provider) {
        depth++;
        InMemoryLeases leases = service.connect();
        running = leases;
        try {
            Optional<Lease> lease = leases.tryAcquire(journals.name());
            if (lease.isEmpty()) {
                time.advance(TTL.plusSeconds(1)); // of one that was killed
                leases.heartbeat();
                lease = leases.tryAcquire(journals.name());
            }
            if (lease.isPresent()) {
                Effects effects = new Effects(
                        (l, r) -> true,
                        (l, r) -> new Faulty(l.grant(), journals.hands().apply(l, r)),
                        "fence",
                        new InVirtualTime());
                Map<String, String> items = new LinkedHashMap<>();
                ITEMS.forEach(item -> items.put(item, "100 EUR to " + item));
                effects.runBatch(lease.get(), provider, journals.name(), items, Effects.Progress.NONE)
                        .outcomes()
                        .forEach(lastSaid::put);
                leases.close();
            }
        } catch (Killed | FenceException e) {
            return; // the process is gone, or gives up; its lease ends by time
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            depth--;
        }
    }

    /** A journal that can be busy, or leave open what became of a step, and a process that can be killed around it. */
    private final class Faulty extends JournalInBetween {
        private final Grant grant;

        Faulty(Grant grant, Journal journal) {
            super(journal);
            this.grant = grant;
        }

        @Override
        public List<Planned> plan(
                String effect, boolean keyed, @Nullable String run, List<Plan> plans, Acceptance accept) {
            somethingMayHappen();
            return super.plan(effect, keyed, run, plans, accept);
        }

        @Override
        public EffectEntry move(EffectEntry entry, Step step) {
            somethingMayHappen();
            int fault = choices.among(8);
            if (fault == 1) {
                throw new BusyException("the journal is busy", null);
            }
            if (fault == 2) { // and it was not done
                throw new OutcomeUnknownException("effects", grant, null);
            }
            EffectEntry moved = super.move(entry, step);
            somethingMayHappen();
            if (fault == 3) { // and it was done
                throw new OutcomeUnknownException("effects", grant, null);
            }
            return moved;
        }
    }

    private final class InVirtualTime implements Patience {
        @Override
        public void pause(Duration duration) {
            time.advance(duration);
            if (running != null) {
                running.heartbeat();
            }
        }

        @Override
        public <T> T await(String what, Duration limit, Callable<T> code) throws ExecutionException {
            try {
                return code.call();
            } catch (Exception e) {
                throw new ExecutionException(e);
            }
        }
    }
}
