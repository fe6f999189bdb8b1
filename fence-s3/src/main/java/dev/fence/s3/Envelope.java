package dev.fence.s3;

import dev.fence.Grant;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a slot: the stamp as lines of ASCII, an empty line, the value. Version 1; golden files pin it, since other
 * versions of the library read it. Each stamp has exactly one spelling.
 *
 * <pre>{@code
 * fence-object:1
 * grant:<grant>
 * write:<uuid>
 * sequence:<decimal>
 * sealed-at:<decimal>
 * replaced:<uuid, or empty>
 * earlier:<uuid> <uuid> ...
 * content:value <bytes> | payload <bytes> <key, percent-encoded> | tombstone
 *
 * <value>
 * }</pre>
 */
final class Envelope {

    /** More than the longest stamp: what must be read of an object to know its stamp. */
    static final int MAX_STAMP_BYTES = 8 * 1024;

    private static final String MAGIC = "fence-object:";
    private static final String VERSION = "1";
    private static final List<String> FIELDS =
            List.of("grant", "write", "sequence", "sealed-at", "replaced", "earlier", "content");
    private static final Pattern CONTENT =
            Pattern.compile("value (\\d{1,10})|payload (\\d{1,19}) (\\S{1,4096})|(tombstone)");

    private Envelope() {}

    /** What the bytes of an object are. */
    sealed interface Read {
        /** A stamp and its value, empty unless the content is a value. */
        @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
        record Stamped(Stamp stamp, byte[] value) implements Read {}

        /** An object that this library did not write. */
        record Unstamped() implements Read {}

        /** A stamp that this version does not understand. */
        record Unreadable(String why) implements Read {}
    }

    static byte[] write(Stamp stamp, byte[] value) {
        byte[] head = (format(stamp) + "\n").getBytes(StandardCharsets.US_ASCII);
        byte[] bytes = Arrays.copyOf(head, head.length + value.length);
        System.arraycopy(value, 0, bytes, head.length, value.length);
        return bytes;
    }

    static Read read(byte[] bytes) {
        if (!startsWithMagic(bytes)) {
            return new Read.Unstamped();
        }
        int end = endOfStamp(bytes);
        if (end < 0) {
            return new Read.Unreadable("its stamp does not end within " + MAX_STAMP_BYTES + " bytes");
        }
        String text = new String(bytes, 0, end, StandardCharsets.UTF_8);
        byte[] value = Arrays.copyOfRange(bytes, end + 1, bytes.length);
        try {
            Stamp stamp = parse(text);
            int expected = stamp.content() instanceof Stamp.Content.Value v ? v.length() : 0;
            if (value.length != expected) {
                return new Read.Unreadable(
                        "its stamp is followed by " + value.length + " bytes, not by the " + expected + " it names");
            }
            return new Read.Stamped(stamp, value);
        } catch (IllegalArgumentException e) {
            return new Read.Unreadable("its stamp is malformed: " + e.getMessage());
        }
    }

    private static String format(Stamp stamp) {
        return String.join(
                        "\n",
                        MAGIC + VERSION,
                        "grant:" + stamp.grant(),
                        "write:" + stamp.writeId(),
                        "sequence:" + stamp.sequence(),
                        "sealed-at:" + stamp.sealSequence(),
                        "replaced:" + (stamp.replaced() == null ? "" : stamp.replaced()),
                        "earlier:"
                                + stamp.earlier().stream().map(UUID::toString).collect(Collectors.joining(" ")),
                        "content:" + format(stamp.content()))
                + "\n";
    }

    private static String format(Stamp.Content content) {
        if (content instanceof Stamp.Content.Value value) {
            return "value " + value.length();
        }
        if (content instanceof Stamp.Content.Payload payload) {
            return "payload " + payload.length() + " " + Percent.encode(payload.key());
        }
        return "tombstone";
    }

    private static Stamp parse(String text) {
        List<String> lines = List.of(text.split("\n", -1));
        if (!lines.get(0).equals(MAGIC + VERSION)) {
            throw new IllegalArgumentException(
                    "it begins with \"" + lines.get(0) + "\", this version of fence reads \"" + MAGIC + VERSION + "\"");
        }
        if (lines.size() != FIELDS.size() + 2) {
            throw new IllegalArgumentException("it has " + lines.size() + " lines, not " + (FIELDS.size() + 2));
        }
        UUID replaced = value(lines, "replaced").isEmpty() ? null : UUID.fromString(value(lines, "replaced"));
        Stamp stamp = new Stamp(
                Grant.parse(value(lines, "grant")),
                UUID.fromString(value(lines, "write")),
                Long.parseLong(value(lines, "sequence")),
                Long.parseLong(value(lines, "sealed-at")),
                replaced,
                Stream.of(value(lines, "earlier").split(" "))
                        .filter(id -> !id.isEmpty())
                        .map(UUID::fromString)
                        .toList(),
                content(value(lines, "content")));
        if (!format(stamp).equals(text)) {
            throw new IllegalArgumentException("it is not in its one spelling");
        }
        return stamp;
    }

    private static String value(List<String> lines, String field) {
        String line = lines.get(FIELDS.indexOf(field) + 1);
        if (!line.startsWith(field + ":")) {
            throw new IllegalArgumentException("where \"" + field + ":\" is expected, it has \"" + line + "\"");
        }
        return line.substring(field.length() + 1);
    }

    private static Stamp.Content content(String text) {
        Matcher matcher = CONTENT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("\"" + text + "\" is no content");
        }
        @Nullable String length = matcher.group(1);
        @Nullable String payloadLength = matcher.group(2);
        if (length != null) {
            return new Stamp.Content.Value(Integer.parseInt(length));
        }
        if (payloadLength != null) {
            return new Stamp.Content.Payload(Percent.decode(matcher.group(3)), Long.parseLong(payloadLength));
        }
        return new Stamp.Content.Tombstone();
    }

    private static boolean startsWithMagic(byte[] bytes) {
        byte[] magic = MAGIC.getBytes(StandardCharsets.US_ASCII);
        return bytes.length >= magic.length && Arrays.equals(bytes, 0, magic.length, magic, 0, magic.length);
    }

    /** The index of the empty line's line feed, or -1. */
    private static int endOfStamp(byte[] bytes) {
        for (int i = 1; i < Math.min(bytes.length, MAX_STAMP_BYTES); i++) {
            if (bytes[i] == '\n' && bytes[i - 1] == '\n') {
                return i;
            }
        }
        return -1;
    }
}
