package dev.fence.spi;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * The rules for what comes in from outside. Each refusal is an {@link IllegalArgumentException} that names the value, the
 * rule and the permitted range, and is thrown before any I/O.
 */
public final class Checks {

    /** Longest lease name, resource name or label, in UTF-8 bytes: the same for every service and every resource. */
    public static final int MAX_NAME_BYTES = 255;

    private static final Pattern SOURCE = Pattern.compile("[a-z0-9][a-z0-9._-]{0,62}");

    private Checks() {}

    /**
     * A lease or resource name: 1 to 255 UTF-8 bytes, no control characters. Names are compared byte for byte; nothing is
     * cut, trimmed, folded or normalised, so {@code "a"} and {@code "a "} are two names.
     *
     * @return {@code name}
     */
    public static String name(String what, String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException(
                    what + " is empty: it must have 1 to " + MAX_NAME_BYTES + " UTF-8 bytes");
        }
        return label(what, name);
    }

    /**
     * A text for people: like a name, but it may be empty.
     *
     * @return {@code label}
     */
    public static String label(String what, String label) {
        int bytes = label.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_NAME_BYTES) {
            throw new IllegalArgumentException(what + " \"" + label + "\" has " + bytes + " UTF-8 bytes: at most "
                    + MAX_NAME_BYTES + " are permitted");
        }
        label.codePoints().forEach(c -> {
            if (Character.isISOControl(c) || isLoneSurrogate(c)) {
                throw new IllegalArgumentException(String.format(
                        "%s has the character U+%04X: control characters and unpaired surrogates are not permitted",
                        what, c));
            }
        });
        return label;
    }

    /**
     * The configured name of a token source.
     *
     * @return {@code source}
     */
    public static String source(String source) {
        if (!SOURCE.matcher(source).matches()) {
            throw new IllegalArgumentException(
                    "source \"" + source
                            + "\" is malformed: 1 to 63 characters out of a-z 0-9 . _ - are permitted, the first a letter or digit");
        }
        return source;
    }

    /**
     * A duration between two bounds, both permitted.
     *
     * @return {@code value}
     */
    public static Duration duration(String what, Duration value, Duration min, Duration max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException(
                    what + " " + value + " is out of range: " + min + " to " + max + " is permitted");
        }
        return value;
    }

    private static boolean isLoneSurrogate(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }
}
