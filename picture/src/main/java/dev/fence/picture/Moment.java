package dev.fence.picture;

/**
 * One thing that happens: one row.
 *
 * @param seconds since the beginning
 * @param from the lane that does it
 * @param to the lane that it is done to; the same as {@code from} for what happens in one lane alone
 * @param label a few words, where it comes from
 * @param end a word or two, where it ends: what came of it; empty if there is nothing to say
 * @param hover all of it
 */
public record Moment(double seconds, int from, int to, Mark mark, String label, String end, String hover) {

    public static Moment in(double seconds, int lane, Mark mark, String label, String hover) {
        return new Moment(seconds, lane, lane, mark, label, "", hover);
    }
}
