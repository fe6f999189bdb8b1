package dev.fence.etcd;

import com.google.protobuf.ByteString;
import dev.fence.FencingToken;
import dev.fence.Grant;
import dev.fence.UnsupportedStoreException;
import io.etcd.jetcd.api.KeyValue;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the key of an acquisition carries, as text: {@code fence1:<floor>:<holder>:<label>}. The floor is kept in the key, so
 * that everybody computes the same token for it whatever the floor becomes later.
 *
 * @param label for people; the last part, since it may contain anything
 */
record QueueValue(long floor, UUID holder, String label) {

    private static final String VERSION = "fence1";

    ByteString toBytes() {
        return ByteString.copyFromUtf8(VERSION + ":" + floor + ":" + holder + ":" + label);
    }

    /** @throws IllegalArgumentException if it is of another version or malformed */
    static QueueValue parse(ByteString value) {
        String text = value.toStringUtf8();
        String[] parts = text.split(":", 4);
        if (parts.length != 4 || !parts[0].equals(VERSION)) {
            throw new IllegalArgumentException(
                    "queue value \"" + text + "\" is not of the form " + VERSION + ":<floor>:<holder>:<label>");
        }
        return new QueueValue(Long.parseLong(parts[1]), UUID.fromString(parts[2]), parts[3]);
    }

    /** Whose key it is, in words for people; a value that another version wrote must not stop anybody. */
    static String describe(ByteString value) {
        try {
            QueueValue read = parse(value);
            return "\"" + read.label() + "\" (holder " + read.holder() + ")";
        } catch (IllegalArgumentException e) {
            return "a holder of another version of fence";
        }
    }

    /**
     * The grant that the first key of a queue is the record of.
     *
     * @throws UnsupportedStoreException if the key is of another version or malformed
     */
    static Grant grant(KeyValue first, String source, String leaseName) {
        try {
            QueueValue value = parse(first.getValue());
            FencingToken token = new FencingToken(Math.addExact(value.floor(), first.getCreateRevision()));
            return new Grant(source, leaseName, token, value.holder());
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new UnsupportedStoreException("the holder of lease \"" + leaseName + "\" cannot be read: " + e, e);
        }
    }

    /** The value of the floor key: {@code fence1:<floor>}. */
    static ByteString floorToBytes(long floor) {
        return ByteString.copyFromUtf8(VERSION + ":" + floor);
    }

    /** @throws UnsupportedStoreException if it is of another version or malformed: no token can be computed then */
    static long parseFloor(ByteString value) {
        String text = value.toStringUtf8();
        String prefix = VERSION + ":";
        try {
            long floor = text.startsWith(prefix) ? Long.parseLong(text.substring(prefix.length())) : -1;
            if (floor > 0 && floorToBytes(floor).equals(value)) {
                return floor;
            }
        } catch (NumberFormatException e) {
            throw badFloor(text, e);
        }
        throw badFloor(text, null);
    }

    private static UnsupportedStoreException badFloor(String text, @Nullable NumberFormatException cause) {
        return new UnsupportedStoreException(
                "the token floor in etcd is \"" + text + "\": it must be " + VERSION + ":<n> with n from 1 to "
                        + Long.MAX_VALUE + ", or absent",
                cause);
    }
}
