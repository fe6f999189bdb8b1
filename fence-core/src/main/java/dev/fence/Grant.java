package dev.fence;

import dev.fence.spi.Checks;
import java.security.SecureRandom;
import java.util.UUID;

/**
 * One acquisition as a value: who counted the token, under which name, with which token, and for whom.
 *
 * <p>A grant can be handed to another thread or process, for instance in an HTTP header, and lets it write to resources
 * that already carry exactly this grant ({@link Fence#attach}). It cannot raise a guard: only a live {@link Lease} seals.
 * It is no secret and no permission by itself; the resource decides.
 *
 * <p>The text form is versioned, at most {@value #MAX_TEXT_LENGTH} ASCII characters, and has exactly one spelling for each
 * grant. Two versions of this library that run side by side read each other's grants.
 *
 * <pre>{@code fence1:<source>:<token>:<holder>:<lease name, percent-encoded>}</pre>
 *
 * @param source who counts the tokens: 1 to 63 characters out of {@code a-z 0-9 . _ -}, beginning with a letter or digit
 * @param leaseName 1 to 255 UTF-8 bytes, without control characters, compared byte for byte
 * @param token the fencing token, comparable only within {@code source}
 * @param holder 128 random bits made for this acquisition; ownership is equality of this id and of nothing else
 */
public record Grant(String source, String leaseName, FencingToken token, UUID holder) {

    /** The longest text form, in characters. */
    public static final int MAX_TEXT_LENGTH = 1024;

    private static final SecureRandom RANDOM = new SecureRandom();

    /** @throws IllegalArgumentException if the source or the lease name breaks its rule */
    public Grant {
        Checks.source(source);
        Checks.name("lease name", leaseName);
    }

    /** A fresh holder id: 128 bits from a cryptographic generator. */
    public static UUID newHolder() {
        return new UUID(RANDOM.nextLong(), RANDOM.nextLong());
    }

    /**
     * Reads the form that {@link #toString()} writes, and no other.
     *
     * @throws IllegalArgumentException if {@code text} is of another version, too long, or not in its one spelling
     */
    public static Grant parse(String text) {
        return GrantText.parse(text);
    }

    /** The versioned text form: printable ASCII without blanks, fit for a header value. */
    @Override
    public String toString() {
        return GrantText.format(this);
    }
}
