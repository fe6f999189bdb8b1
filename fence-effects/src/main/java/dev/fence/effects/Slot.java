package dev.fence.effects;

import dev.fence.FencingToken;
import java.time.Instant;
import java.util.UUID;

/**
 * One slot of a job, as the database has it.
 *
 * @param job the job's name
 * @param scheduledAt when the schedule has it; with the job, its identity
 * @param state where it stands
 * @param run the id of its latest run, for logs: made for the run
 * @param attempts how often it was started
 * @param token of the holder that moved it last
 * @param detail for people: why it failed or was skipped
 * @param changedAt by the database's clock
 */
public record Slot(
        String job,
        Instant scheduledAt,
        SlotState state,
        UUID run,
        int attempts,
        FencingToken token,
        String detail,
        Instant changedAt) {

    /** The slot as a text, the same on every node and at every attempt: fit as a run id of {@link Effects#runBatch}. */
    public String id() {
        return job.replace('/', '_') + "@" + scheduledAt;
    }

    @Override
    public String toString() {
        return "slot " + scheduledAt + " of job \"" + job + "\" (" + state.sql() + ", run " + run + ", attempt "
                + attempts + ")";
    }
}
