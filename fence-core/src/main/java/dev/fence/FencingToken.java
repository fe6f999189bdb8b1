package dev.fence;

import org.jspecify.annotations.Nullable;

/**
 * The fencing token of one acquisition: a positive 64-bit number, higher than any that its source gave before, for any
 * lease name.
 *
 * <p>Tokens are compared as numbers and only with tokens of the same source; the source travels in {@link Grant}.
 * They print as plain decimals and belong into JSON as strings, since many readers keep only 53 bits of a number.
 *
 * @param value from 1 to {@link Long#MAX_VALUE}
 */
public record FencingToken(long value) implements Comparable<FencingToken> {

    /** @throws IllegalArgumentException if {@code value} is zero or negative */
    public FencingToken {
        if (value <= 0) {
            throw new IllegalArgumentException(
                    "fencing token " + value + " is out of range: tokens are 1 to " + Long.MAX_VALUE);
        }
    }

    /**
     * Reads the form that {@link #toString()} writes, and no other: no sign, no leading zero, no blank.
     *
     * @throws IllegalArgumentException if {@code text} is anything else
     */
    public static FencingToken parse(String text) {
        try {
            FencingToken token = new FencingToken(Long.parseLong(text));
            if (token.toString().equals(text)) {
                return token;
            }
        } catch (NumberFormatException e) {
            throw malformed(text, e);
        }
        throw malformed(text, null);
    }

    public boolean isNewerThan(FencingToken other) {
        return value > other.value;
    }

    @Override
    public int compareTo(FencingToken other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }

    private static IllegalArgumentException malformed(String text, @Nullable NumberFormatException cause) {
        return new IllegalArgumentException(
                "fencing token \"" + text + "\" is malformed: a token is a decimal number from 1 to " + Long.MAX_VALUE,
                cause);
    }
}
