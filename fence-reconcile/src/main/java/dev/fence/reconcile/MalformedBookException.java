package dev.fence.reconcile;

import org.jspecify.annotations.Nullable;

/**
 * A book cannot be read as one: an entry is malformed, out of order, cut off. Nothing was written: no report is in its place, and
 * there is nothing to apply.
 */
public final class MalformedBookException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String book;
    private final long line;
    private final String field;

    /**
     * For books of one's own.
     *
     * @param line from 1 on; 0 if it is about the book as a whole
     * @param field the field's name in the book; empty if it is about the line as a whole
     */
    public MalformedBookException(String book, long line, String field, String problem, @Nullable Throwable cause) {
        super(
                "book \"" + book + "\"" + (line > 0 ? ", line " + line : "")
                        + (field.isEmpty() ? "" : ", field \"" + BookEntry.printable(field) + "\"") + ": " + problem,
                cause);
        this.book = book;
        this.line = line;
        this.field = field;
    }

    public String book() {
        return book;
    }

    /** From 1 on; 0 if it is about the book as a whole. */
    public long line() {
        return line;
    }

    /** The field's name in the book; empty if it is about the line as a whole. */
    public String field() {
        return field;
    }
}
