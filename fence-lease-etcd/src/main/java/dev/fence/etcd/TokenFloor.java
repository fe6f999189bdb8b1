package dev.fence.etcd;

import dev.fence.FencingToken;

/**
 * The token floor as it was read: what is added to each of etcd's revisions to make a token. Raising it is conditional on this
 * value, so that of two operators who read the same only one raises.
 *
 * @param floor the number in force at etcd, zero or more; zero if it was never raised
 * @param reached no token is higher that this etcd has given in the history it has now, nor under any floor that the asking
 *     session has met; 1 or more. Tokens of a history that a restore has undone can be higher: only guards and logs know them
 */
public record TokenFloor(long floor, long reached) {

    /** How far a raise goes beyond every token known, at the least: tokens that nobody knows of must stay below too. */
    public static final long STEP = 1L << 40;

    /** The highest token that leaves room for a raise, and after it for as many tokens as one step has. */
    public static final long HIGHEST = Long.MAX_VALUE - 2 * STEP;

    /** @throws IllegalArgumentException if a number is out of its range */
    public TokenFloor {
        if (floor < 0) {
            throw new IllegalArgumentException("floor " + floor + " is out of range: it is 0 to " + Long.MAX_VALUE);
        }
        if (reached < 1 || reached < floor) {
            throw new IllegalArgumentException("reached " + reached + " is out of range: it is 1 to " + Long.MAX_VALUE
                    + ", and at least the floor " + floor);
        }
    }

    /** A sum that would overflow is {@link Long#MAX_VALUE}, which leaves no room. */
    static TokenFloor of(long floor, long highestFloorMet, long revision) {
        long highest = Math.max(floor, highestFloorMet);
        return new TokenFloor(floor, highest > Long.MAX_VALUE - revision ? Long.MAX_VALUE : highest + revision);
    }

    /**
     * One step above everything known. The same for the same arguments, so that repeating a raise whose answer was lost does
     * not raise twice.
     *
     * @throws IllegalArgumentException if no room is left
     */
    long raisedAbove(FencingToken highestKnown) {
        long highest = Math.max(reached, highestKnown.value());
        if (highest > HIGHEST) {
            throw new IllegalArgumentException("the floor cannot be raised above token " + highest
                    + ": the highest that leaves room for a step of " + STEP + " and the tokens after it is " + HIGHEST
                    + "; a source of another name starts anew");
        }
        return highest + STEP;
    }
}
