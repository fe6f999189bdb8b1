package dev.fence.etcd;

import com.google.protobuf.ByteString;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Where things are kept in etcd. The layout is version 1; another layout gets another number, and golden files hold this one.
 *
 * <pre>
 * &lt;namespace&gt;/v1/q/&lt;encoded name&gt;/&lt;session&gt;-&lt;n&gt;    one acquisition in the queue of a name
 * &lt;namespace&gt;/v1/t/&lt;session&gt;-&lt;n&gt;                  tombstone: that acquisition was given up
 * &lt;namespace&gt;/v1/s/&lt;session&gt;                      a session is alive
 * &lt;namespace&gt;/v1/floor                            what is added to every revision to make a token
 * </pre>
 *
 * <p>An encoded name has no slash, so the range of a name, from {@code .../} up to and without {@code ...0}, holds the keys of
 * no other. With plain names {@code payouts} would queue behind its own {@code payouts/EU}.
 */
final class Keys {

    private static final String UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";

    private final String root;

    Keys(String namespace) {
        this.root = namespace + "/v1/";
    }

    /** The queue of one name: {@code start} inclusive, {@code end} exclusive. */
    record Queue(ByteString start, ByteString end) {}

    Queue queue(String leaseName) {
        String prefix = root + "q/" + encode(leaseName);
        // '0' is the character after '/'
        return new Queue(bytes(prefix + "/"), bytes(prefix + "0"));
    }

    /** The own key of the session's {@code n}th acquisition. */
    ByteString own(String leaseName, long session, long n) {
        return bytes(root + "q/" + encode(leaseName) + "/" + hex(session) + "-" + n);
    }

    ByteString tombstone(long session, long n) {
        return bytes(root + "t/" + hex(session) + "-" + n);
    }

    ByteString session(long session) {
        return bytes(root + "s/" + hex(session));
    }

    ByteString floor() {
        return bytes(root + "floor");
    }

    /** Whether {@code key}, of a queue, belongs to {@code session}. */
    static boolean isOf(ByteString key, long session) {
        String text = key.toStringUtf8();
        return text.startsWith(hex(session) + "-", text.lastIndexOf('/') + 1);
    }

    static String hex(long session) {
        return HexFormat.of().toHexDigits(session);
    }

    /** Percent-encoding of the UTF-8 bytes: one spelling for each name, whatever the locale. */
    private static String encode(String name) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            if (b > 0 && UNRESERVED.indexOf(b) >= 0) {
                encoded.append((char) b);
            } else {
                encoded.append('%')
                        .append(Character.toUpperCase(Character.forDigit((b >> 4) & 0xf, 16)))
                        .append(Character.toUpperCase(Character.forDigit(b & 0xf, 16)));
            }
        }
        return encoded.toString();
    }

    private static ByteString bytes(String key) {
        return ByteString.copyFromUtf8(key);
    }
}
