package dev.fence.reconcile;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads a book from its beginning. Used by one thread. */
public interface BookReader extends Closeable {

    /**
     * The next entry, or null at the end.
     *
     * @throws MalformedBookException if it is no entry
     * @throws IOException if the book cannot be read on
     */
    @Nullable
    BookEntry next() throws IOException;

    /** Leaves out the next entries; they have been read before. */
    default void skip(long entries) throws IOException {
        for (long i = 0; i < entries && next() != null; i++) {}
    }

    /** Of everything that this reader reads: another text if the content is another. Empty if there is none. */
    default String fingerprint() throws IOException {
        return "";
    }
}
