package dev.fence.lab;

/**
 * A generator of our own (the SplitMix64 of Steele, Lea and Flood), so that a seed means the same timeline on every JDK.
 * Its golden values are pinned by a test.
 */
final class Rng {

    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private long state;

    Rng(long seed) {
        this.state = seed;
    }

    /** The generator of one timeline of a series. Neighbours have nothing in common. */
    static Rng of(long seed, long number) {
        return new Rng(new Rng(seed ^ (number * GOLDEN_GAMMA)).next());
    }

    long next() {
        state += GOLDEN_GAMMA;
        long z = state;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** Evenly out of 0 to {@code bound} - 1, as evenly as 31 bits allow. */
    int below(int bound) {
        return (int) (((next() >>> 33) * bound) >>> 31);
    }
}
