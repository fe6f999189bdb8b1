package dev.fence.s3;

import dev.fence.WriteOutcome;
import java.util.ArrayList;
import java.util.List;

/** The library itself through one {@link Timeline} with faults, and what {@link S3Fence#verify} says of each write afterwards. */
final class FencedTimeline {

    /**
     * What came of it.
     *
     * @param violations what broke the promises, nothing if all were kept
     */
    record Run(List<History.Write> writes, List<String> violations) {}

    private FencedTimeline() {}

    static Run run(long seed) {
        Timeline timeline = new Timeline(seed);
        SimulatedS3 store = new SimulatedS3(timeline);
        FencedDesign design = new FencedDesign(store);
        History history = new History(timeline, store, design);
        List<String> violations = new ArrayList<>(history.run());
        for (History.Write write : history.writes()) {
            WriteOutcome verified = design.verify(new WriteIds(write.id(), false, 1));
            boolean applied = verified == WriteOutcome.APPLIED || verified == WriteOutcome.APPLIED_THEN_SUPERSEDED;
            int landed = history.landed(write).size();
            if (verified != WriteOutcome.UNKNOWN && applied != (landed == 1)) {
                violations.add(write + " landed " + landed + " times and was verified as " + verified);
            }
        }
        return new Run(history.writes(), violations);
    }
}
