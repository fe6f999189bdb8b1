package dev.fence;

import java.util.regex.Pattern;

/**
 * Names one write, so that its outcome can be asked for later, also by another process: an opaque text made by the fence that
 * wrote, meaningful to the same kind of fence alone. It outlives the writer: store it wherever the intent is stored.
 *
 * @param text 1 to 128 characters out of {@code A-Z a-z 0-9 . : _ = + / -}
 */
public record WriteId(String text) {

    private static final Pattern PERMITTED = Pattern.compile("[A-Za-z0-9.:_=+/-]{1,128}");

    /** @throws IllegalArgumentException if {@code text} breaks its rule */
    public WriteId {
        if (!PERMITTED.matcher(text).matches()) {
            throw new IllegalArgumentException("write id \"" + text
                    + "\" is malformed: 1 to 128 characters out of A-Z a-z 0-9 . : _ = + / - are permitted");
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
