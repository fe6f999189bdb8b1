package dev.fence.s3;

import dev.fence.Grant;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** What was in a slot when it was read, without the stamp. Safe for use by several threads. */
public final class ObjectValue {

    /** Opens a payload. */
    interface Opener {
        InputStream open();
    }

    private final Grant guard;
    private final long length;
    private final Opener opener;

    private ObjectValue(Grant guard, long length, Opener opener) {
        this.guard = guard;
        this.length = length;
        this.opener = opener;
    }

    static ObjectValue inSlot(Grant guard, byte[] bytes) {
        return new ObjectValue(guard, bytes.length, () -> new ByteArrayInputStream(bytes));
    }

    static ObjectValue payload(Grant guard, long length, Opener opener) {
        return new ObjectValue(guard, length, opener);
    }

    /** The grant that the guard carried: who had sealed last, not necessarily who wrote the value. */
    public Grant guard() {
        return guard;
    }

    /** In bytes. */
    public long length() {
        return length;
    }

    /**
     * All of it.
     *
     * @throws IllegalStateException if it has more than 16 MiB: {@link #open} it
     * @throws dev.fence.BusyException if a published payload cannot be read now, or was purged since the slot was read
     * @throws UncheckedIOException if the connection broke
     */
    public byte[] bytes() {
        if (length > Limits.MAX_VALUE_BYTES) {
            throw new IllegalStateException("the value has " + length + " bytes: at most " + Limits.MAX_VALUE_BYTES
                    + " are permitted in memory; open it as a stream");
        }
        try (InputStream in = opener.open()) {
            byte[] bytes = in.readAllBytes();
            if (bytes.length != length) {
                throw new IOException("the value ended after " + bytes.length + " of " + length + " bytes");
            }
            return bytes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A stream from the beginning, to be closed by the caller.
     *
     * @throws dev.fence.BusyException if a published payload cannot be read now, or was purged since the slot was read
     */
    public InputStream open() {
        return opener.open();
    }
}
