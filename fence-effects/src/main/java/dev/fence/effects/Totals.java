package dev.fence.effects;

/**
 * How many effects of a run stand where. Those that are planned, and nothing else, will be called by the next run.
 */
public record Totals(int planned, int done, int refused, int unknown, int manual) {

    static final Totals NONE = new Totals(0, 0, 0, 0, 0);

    public int all() {
        return planned + done + refused + unknown + manual;
    }

    Totals plus(Outcome<?> outcome) {
        return new Totals(
                planned + one(outcome instanceof Outcome.Planned),
                done + one(outcome instanceof Outcome.Done),
                refused + one(outcome instanceof Outcome.Refused),
                unknown + one(outcome instanceof Outcome.Unknown),
                manual + one(outcome instanceof Outcome.Manual));
    }

    private static int one(boolean yes) {
        return yes ? 1 : 0;
    }
}
