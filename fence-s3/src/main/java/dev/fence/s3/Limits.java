package dev.fence.s3;

import dev.fence.spi.Checks;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The rules for slots: which keys and which values are permitted. */
final class Limits {

    /** The largest value of a slot. It is rewritten by every seal, so larger ones are published as payloads. */
    static final int MAX_VALUE_BYTES = 16 * 1024 * 1024;

    static final int MAX_SLOT_BYTES = MAX_VALUE_BYTES + Envelope.MAX_STAMP_BYTES;

    /** The largest object that S3 keeps. */
    static final long MAX_PAYLOAD_BYTES = 5L << 40;

    /** Payloads lie in a folder of their own beside their slot. */
    static final String PAYLOAD_FOLDER = ".fence/";

    private Limits() {}

    static byte[] value(byte[] value) {
        if (value.length > MAX_VALUE_BYTES) {
            throw new IllegalArgumentException("the value has " + value.length + " bytes: at most " + MAX_VALUE_BYTES
                    + " are permitted in a slot; publish a larger one");
        }
        return value;
    }

    static long payload(long bytes) {
        if (bytes < 0 || bytes > MAX_PAYLOAD_BYTES) {
            throw new IllegalArgumentException(
                    "the payload has " + bytes + " bytes: 0 to " + MAX_PAYLOAD_BYTES + " are permitted");
        }
        return bytes;
    }

    /** A resource name that every store keeps as it is: some fold {@code //}, {@code .} and {@code ..} in keys. */
    static String resource(String resource) {
        Checks.name("resource", resource);
        if (("/" + resource + "/").contains(PAYLOAD_FOLDER)) {
            throw new IllegalArgumentException("resource \"" + resource + "\" has a folder that ends in \""
                    + PAYLOAD_FOLDER + "\": such names are kept for payloads");
        }
        return path("resource", resource);
    }

    /** A prefix of all keys: empty, or a folder that ends in a slash. */
    static String prefix(String prefix) {
        Checks.label("prefix", prefix);
        if (prefix.isEmpty()) {
            return prefix;
        }
        if (!prefix.endsWith("/")) {
            throw new IllegalArgumentException("prefix \"" + prefix + "\" must be empty or end in \"/\"");
        }
        path("prefix", prefix.substring(0, prefix.length() - 1));
        return prefix;
    }

    static String bucket(String bucket) {
        int length = bucket.getBytes(StandardCharsets.UTF_8).length;
        if (length < 1 || length > 255 || bucket.contains("/")) {
            throw new IllegalArgumentException(
                    "bucket \"" + bucket + "\" is malformed: 1 to 255 bytes without \"/\" are permitted");
        }
        return bucket;
    }

    private static String path(String what, String path) {
        for (String segment : path.split("/", -1)) {
            if (List.of("", ".", "..").contains(segment)) {
                throw new IllegalArgumentException(what + " \"" + path + "\" has the part \"" + segment
                        + "\" between slashes: parts that are empty, \".\" or \"..\" are not permitted, since some stores"
                        + " take such a key for another");
            }
        }
        return path;
    }
}
