package dev.fence.reconcile;

import java.io.IOException;
import java.util.Iterator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A source of entries: a statement, or a journal. Can be read more than once. */
public interface Book {

    /** For messages and reports. */
    String name();

    /** Whether it promises to be in the order of {@link BookEntry#key}. The promise is checked. If not, it is sorted on disk. */
    boolean sorted();

    /**
     * Begins to read.
     *
     * @throws MalformedBookException if it is seen at once that this is no such book
     * @throws IOException if it cannot be reached
     */
    BookReader open() throws IOException;

    /** A book of entries that are somewhere else already. It has no fingerprint, so a report over it is not resumed. */
    static Book of(String name, boolean sorted, Supplier<? extends Iterator<BookEntry>> entries) {
        return new Book() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public boolean sorted() {
                return sorted;
            }

            @Override
            public BookReader open() {
                Iterator<BookEntry> left = entries.get();
                return new BookReader() {
                    private long line;

                    @Override
                    public @Nullable BookEntry next() {
                        return left.hasNext() ? left.next().withLine(++line) : null;
                    }

                    @Override
                    public void close() {}
                };
            }
        };
    }
}
