package dev.fence;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The text form of a {@link Grant}; golden files pin it, since other versions of the library read it. */
final class GrantText {

    private static final String VERSION = "fence1";
    private static final String UNESCAPED = "-._~/";
    private static final String HEX = "0123456789ABCDEF";

    private GrantText() {}

    static String format(Grant grant) {
        return String.join(
                ":",
                VERSION,
                grant.source(),
                grant.token().toString(),
                grant.holder().toString(),
                encode(grant.leaseName()));
    }

    static Grant parse(String text) {
        if (text.length() > Grant.MAX_TEXT_LENGTH) {
            throw new IllegalArgumentException("grant text has " + text.length() + " characters: at most "
                    + Grant.MAX_TEXT_LENGTH + " are permitted");
        }
        List<String> parts = List.of(text.split(":", -1));
        if (!parts.get(0).equals(VERSION)) {
            throw malformed(text, "it does not begin with \"" + VERSION + ":\"", null);
        }
        if (parts.size() != 5) {
            throw malformed(text, "it has " + parts.size() + " parts between colons, not 5", null);
        }
        Grant grant = read(text, parts);
        if (!format(grant).equals(text)) {
            throw malformed(text, "its one spelling is \"" + format(grant) + "\"", null);
        }
        return grant;
    }

    private static Grant read(String text, List<String> parts) {
        try {
            return new Grant(
                    parts.get(1),
                    decode(parts.get(4)),
                    FencingToken.parse(parts.get(2)),
                    UUID.fromString(parts.get(3)));
        } catch (IllegalArgumentException e) {
            throw malformed(text, String.valueOf(e.getMessage()), e);
        }
    }

    private static String encode(String name) {
        StringBuilder out = new StringBuilder();
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            if (isUnescaped((char) (b & 0xFF))) {
                out.append((char) b);
            } else {
                out.append('%').append(HEX.charAt((b >> 4) & 0xF)).append(HEX.charAt(b & 0xF));
            }
        }
        return out.toString();
    }

    /** Lenient where the comparison of spellings in {@link #parse} is strict. */
    private static String decode(String encoded) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(encoded.length());
        for (int i = 0; i < encoded.length(); i++) {
            char c = encoded.charAt(i);
            if (c != '%') {
                bytes.write(c);
            } else if (i + 2 < encoded.length()) {
                bytes.write(Integer.parseInt(encoded, i + 1, i + 3, 16));
                i += 2;
            } else {
                throw new IllegalArgumentException("percent sign without two hexadecimal digits");
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static boolean isUnescaped(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || UNESCAPED.indexOf(c) >= 0;
    }

    private static IllegalArgumentException malformed(String text, String why, @Nullable Throwable cause) {
        return new IllegalArgumentException("grant \"" + text + "\" is malformed: " + why, cause);
    }
}
