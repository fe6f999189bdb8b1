package dev.fence.reconcile;

import dev.fence.reconcile.Finding.Side;
import java.io.IOException;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** Where the merge is in one book: looks one entry ahead, and holds the book to its order. */
final class Cursor {

    private final Side side;
    private final String book;
    private final BookReader reader;
    private final Comparator<String> order;
    private @Nullable BookEntry ahead;
    private String lastKey;
    private long taken;

    /** Goes on behind what was taken before, up to {@code lastKey}. */
    Cursor(Side side, String book, BookReader reader, Comparator<String> order, long taken, String lastKey)
            throws IOException {
        this.side = side;
        this.book = book;
        this.reader = reader;
        this.order = order;
        this.taken = taken;
        this.lastKey = lastKey;
        reader.skip(taken);
        ahead = read();
    }

    Cursor(Side side, String book, BookReader reader, Comparator<String> order) throws IOException {
        this(side, book, reader, order, 0, "");
    }

    Side side() {
        return side;
    }

    /** How many entries were taken. */
    long taken() {
        return taken;
    }

    @Nullable
    BookEntry peek() {
        return ahead;
    }

    /** The entry that {@link #peek} showed. */
    BookEntry take() throws IOException {
        BookEntry entry = ahead;
        if (entry == null) {
            throw new IllegalStateException("book \"" + book + "\" is at its end");
        }
        ahead = read();
        taken++;
        return entry;
    }

    boolean isAt(String key) {
        return ahead != null && order.compare(ahead.key(), key) == 0;
    }

    private @Nullable BookEntry read() throws IOException {
        BookEntry entry = reader.next();
        if (entry == null) {
            return null;
        }
        if (order.compare(lastKey, entry.key()) > 0) {
            throw new MalformedBookException(
                    book,
                    entry.line(),
                    "key",
                    "\"" + entry.key() + "\" comes after \"" + lastKey
                            + "\": a book that is said to be sorted must be in the order of the keys' UTF-8 bytes",
                    null);
        }
        if (side == Side.STATEMENT && entry.claim() != Claim.HAPPENED) {
            throw new MalformedBookException(
                    book, entry.line(), "claim", entry.claim() + ": a statement states what happened", null);
        }
        lastKey = entry.key();
        return entry;
    }
}
