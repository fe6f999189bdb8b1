package dev.fence.s3;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Object keys as one ASCII word. Decoding is lenient where the comparison of spellings in {@link Envelope} is strict. */
final class Percent {

    private Percent() {}

    static String encode(String key) {
        StringBuilder out = new StringBuilder();
        for (byte b : key.getBytes(StandardCharsets.UTF_8)) {
            if (b > ' ' && b < 0x7F && b != '%') {
                out.append((char) b);
            } else {
                out.append(String.format("%%%02X", b & 0xFF));
            }
        }
        return out.toString();
    }

    static String decode(String encoded) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(encoded.length());
        for (int i = 0; i < encoded.length(); i++) {
            if (encoded.charAt(i) != '%') {
                bytes.write(encoded.charAt(i));
            } else if (i + 2 < encoded.length()) {
                bytes.write(Integer.parseInt(encoded, i + 1, i + 3, 16));
                i += 2;
            } else {
                throw new IllegalArgumentException("percent sign without two hexadecimal digits");
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
