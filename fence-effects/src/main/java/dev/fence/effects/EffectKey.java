package dev.fence.effects;

import dev.fence.spi.Checks;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Names one business action, for ever: the same across retries, restarts, holders and versions of this library. It is made of
 * what the business says and of nothing else, no token, host, time or attempt. A deliberate second action needs a second
 * business key, such as {@code invoice-7#2}; the library never makes one up.
 *
 * @param effect what is done, such as {@code payout}: a name of 1 to 255 UTF-8 bytes
 * @param businessKey to what, such as {@code invoice-7}: a name of 1 to 255 UTF-8 bytes
 */
public record EffectKey(String effect, String businessKey) {

    /** Part of every key: another way to derive keys would be another number, beside this one. */
    private static final String DERIVATION = "fence-effect-key-1";

    private static final int BYTES = 16;

    /** @throws IllegalArgumentException if a name is blank or breaks its rule */
    public EffectKey {
        requireName("effect", effect);
        requireName("business key", businessKey);
    }

    private static void requireName(String what, String name) {
        Checks.name(what, name);
        if (name.isBlank()) {
            throw new IllegalArgumentException(what + " \"" + name + "\" is blank: it must name something");
        }
    }

    /**
     * The idempotency key that travels to the provider: the first 128 bits of a SHA-256 over both names, as 32 lower-case
     * hexadecimal digits. It fits a UUID's digits and the 35 characters of a SEPA end-to-end id.
     */
    public String text() {
        MessageDigest digest = sha256();
        for (String part : new String[] {DERIVATION, effect, businessKey}) {
            byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
            // with its length: "ab" + "c" is not "a" + "bc"
            digest.update(
                    ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
            digest.update(bytes);
        }
        return HexFormat.of().formatHex(digest.digest(), 0, BYTES);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return effect + " \"" + businessKey + "\" (key " + text() + ")";
    }
}
