package dev.fence.properties;

import dev.fence.s3.ObjectSlot;
import java.nio.charset.StandardCharsets;

/** The slot of an object. Its bytes are the content alone, so that the same content has the same bytes. */
record SlotRegister(ObjectSlot slot) implements Register {

    /** The content: an object does not know the number of its write. */
    @Override
    public long read() {
        return slot.read().map(value -> content(value.bytes())).orElse(0L);
    }

    @Override
    public void write(Value value) {
        slot.put(bytes(value));
    }

    static long content(byte[] bytes) {
        return Long.parseLong(new String(bytes, StandardCharsets.UTF_8));
    }

    static byte[] bytes(Value value) {
        return Long.toString(value.content()).getBytes(StandardCharsets.UTF_8);
    }
}
