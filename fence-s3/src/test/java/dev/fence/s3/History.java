package dev.fence.s3;

import dev.fence.FenceException;
import dev.fence.Lease;
import dev.fence.OutcomeUnknownException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One run of several holders on one object: who was told what, to be compared with what the store saw.
 *
 * <p>Three holders come one after the other, each while the earlier ones still write; a fourth actor writes under a grant that
 * was handed over. All write the same few values.
 */
final class History {

    private static final int HOLDERS = 3;

    /** What its caller was told about a write. */
    enum Told {
        APPLIED,
        REFUSED,
        UNKNOWN
    }

    /** One write, as its caller knows it. */
    record Write(UUID id, long sequenceRead, Told told) {}

    private final Timeline timeline;
    private final SimulatedS3 store;
    private final Design design;
    private final List<Write> writes = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private List<Design.Mark> marks = List.of();

    /** A grant for whoever writes under one that was handed over. */
    private @Nullable Lease handedOver;

    History(Timeline timeline, SimulatedS3 store, Design design) {
        this.timeline = timeline;
        this.store = store;
        this.design = design;
    }

    /** Runs the holders; what broke the promises, nothing if all were kept. */
    List<String> run() {
        try (Holders holders = new Holders("test", "exports/EU")) {
            Lease first = holders.next();
            design.create(first);
            store.faulty(true);
            List<Timeline.Actor> actors = new ArrayList<>();
            for (int i = 0; i < HOLDERS; i++) {
                actors.add(() -> hold(holders));
            }
            actors.add(this::writeUnderAGrantThatWasHandedOver);
            timeline.run(actors);
            store.faulty(false);
            store.releaseLate();
        }
        check();
        return violations;
    }

    List<Write> writes() {
        return writes;
    }

    /** Where a write landed, once the run is over. */
    List<Design.Mark> landed(Write write) {
        return marks.stream().filter(mark -> mark.id().equals(write.id())).toList();
    }

    private void hold(Holders holders) {
        timeline.step();
        Lease lease = holders.next();
        handedOver = lease;
        try {
            Design.Session session = design.seal(lease);
            long newest = newestToken();
            if (newest < lease.token().value()) {
                violations.add("seal " + lease.token() + " was acknowledged, the store carries " + newest);
            }
            write(session);
        } catch (FenceException e) {
            timeline.step(); // refused, busy or unknown: this holder gives up
        }
    }

    private void writeUnderAGrantThatWasHandedOver() {
        for (int i = 0; i < 2; i++) {
            timeline.step();
            Lease lease = handedOver;
            if (lease != null) {
                try {
                    write(design.attach(lease));
                } catch (FenceException e) {
                    timeline.step();
                }
            }
        }
    }

    private void write(Design.Session session) {
        for (int i = 0; i < 1 + timeline.choose(3); i++) {
            String value = timeline.choose(2) == 0 ? "" : "same";
            List<Write> announced = new ArrayList<>();
            Told told = Told.APPLIED;
            try {
                session.write(
                        value, timeline.choose(3) == 0, (id, read) -> announced.add(new Write(id, read, Told.UNKNOWN)));
            } catch (OutcomeUnknownException e) {
                told = Told.UNKNOWN;
            } catch (FenceException e) {
                told = Told.REFUSED;
            }
            for (Write write : announced) {
                writes.add(new Write(write.id(), write.sequenceRead(), told));
            }
        }
    }

    private long newestToken() {
        return design.mark(store.versions().get(store.versions().size() - 1)).token();
    }

    private void check() {
        marks = store.versions().stream().map(design::mark).toList();
        for (int i = 1; i < marks.size(); i++) {
            if (marks.get(i).token() < marks.get(i - 1).token()) {
                violations.add("token " + marks.get(i).token() + " was stored after "
                        + marks.get(i - 1).token());
            }
        }
        for (Write write : writes) {
            List<Design.Mark> landed = landed(write);
            boolean kept = switch (write.told()) {
                case APPLIED -> landed.size() == 1;
                case REFUSED -> landed.isEmpty();
                case UNKNOWN -> landed.size() <= 1;
            };
            if (!kept) {
                violations.add("a write that was told " + write.told() + " landed " + landed.size() + " times");
            }
            boolean onTop = write.sequenceRead() < 0
                    || landed.stream().allMatch(mark -> mark.sequence() == write.sequenceRead() + 1);
            if (!onTop) {
                violations.add("a write built on " + write.sequenceRead() + " landed elsewhere: " + landed);
            }
        }
    }
}
