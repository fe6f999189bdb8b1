package dev.fence.chaos;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Begins a fault every now and then, several at once on different targets, and heals all in the end. */
final class Nemesis {

    private static final int MOST_AT_ONCE = 3;

    private final Faults faults;
    private final History history;
    private final SplittableRandom random;
    private final List<Harm> active = new ArrayList<>();

    private record Harm(Fault fault, long untilNanos) {}

    Nemesis(Faults faults, History history, SplittableRandom random) {
        this.faults = faults;
        this.history = history;
        this.random = random;
    }

    /** @throws Exception if a fault could not be begun or healed: then the run proves nothing */
    void run(long nanos) throws Exception {
        long end = System.nanoTime() + nanos;
        long next = System.nanoTime();
        try {
            while (System.nanoTime() - end < 0) {
                healThoseDue();
                if (System.nanoTime() - next >= 0 && active.size() < MOST_AT_ONCE) {
                    begin();
                    next = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(100 + random.nextInt(800));
                }
                TimeUnit.MILLISECONDS.sleep(10);
            }
        } finally {
            for (Harm harm : List.copyOf(active)) {
                heal(harm);
            }
        }
    }

    private void begin() throws Exception {
        Set<Object> busy = new HashSet<>();
        active.forEach(harm -> busy.add(harm.fault().target()));
        var drawn = faults.draw();
        if (drawn.isPresent() && !busy.contains(drawn.get().target())) {
            Fault fault = drawn.get();
            note(What.FAULT, fault);
            fault.begin().run();
            active.add(new Harm(fault, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(fault.millis())));
        }
    }

    private void healThoseDue() throws Exception {
        for (Harm harm : List.copyOf(active)) {
            if (System.nanoTime() - harm.untilNanos() >= 0) {
                heal(harm);
            }
        }
    }

    private void heal(Harm harm) throws Exception {
        active.remove(harm);
        harm.fault().end().run();
        note(What.HEALED, harm.fault());
    }

    private void note(What what, Fault fault) {
        history.accept(Event.of(System.nanoTime(), "nemesis", what, fault.what()));
    }
}
