package dev.fence.reconcile;

import dev.fence.reconcile.Finding.Kind;
import dev.fence.reconcile.Finding.Side;
import java.io.Closeable;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;

/** One reading of both books, side by side. */
final class Pass implements Closeable {

    private final Book journal;
    private final Book statement;
    private final BookReader journalReader;
    private final BookReader statementReader;

    Pass(Book journal, Book statement, TemporarySpace space) throws IOException {
        this.journal = journal;
        this.statement = statement;
        journalReader = inOrder(journal, space);
        try {
            statementReader = inOrder(statement, space);
        } catch (IOException | RuntimeException e) {
            try (journalReader) {
                throw e;
            }
        }
    }

    private static BookReader inOrder(Book book, TemporarySpace space) throws IOException {
        BookReader reader = book.open();
        if (book.sorted()) {
            return reader;
        }
        try {
            return SortedReader.sort(book.name(), reader, KeyOrder.UTF8, space);
        } catch (IOException | RuntimeException e) {
            try (reader) {
                throw e;
            }
        }
    }

    String journalFingerprint() throws IOException {
        return fingerprint(journal, journalReader);
    }

    String statementFingerprint() throws IOException {
        return fingerprint(statement, statementReader);
    }

    private static String fingerprint(Book book, BookReader reader) throws IOException {
        String fingerprint = reader.fingerprint();
        if (fingerprint.isEmpty()) {
            throw new IllegalArgumentException(
                    "book \"" + book.name()
                            + "\" has no fingerprint, so nobody could see that it has changed: a report over it cannot be resumed");
        }
        return fingerprint;
    }

    /** Told what has been found so far, when everything about a key has been said. */
    interface Watcher {
        void afterKey(String key, long entries, BookTotals.Tally soFar) throws IOException;
    }

    /** Compares what is behind {@code lastKey}; {@code before} is what was found up to there. */
    BookTotals run(Judge judge, BookTotals before, String lastKey, FindingSink sink, Watcher watcher)
            throws IOException {
        Cursor ours = new Cursor(
                Side.JOURNAL, journal.name(), journalReader, KeyOrder.UTF8, before.journalEntries(), lastKey);
        Cursor theirs = new Cursor(
                Side.STATEMENT, statement.name(), statementReader, KeyOrder.UTF8, before.statementEntries(), lastKey);
        Map<Kind, Long> counts = new EnumMap<>(before.findings());
        BookTotals.Tally tally = () -> new BookTotals(ours.taken(), theirs.taken(), counts);
        new Merge(KeyOrder.UTF8, judge)
                .run(
                        ours,
                        theirs,
                        finding -> {
                            counts.merge(finding.kind(), 1L, Long::sum);
                            sink.accept(finding);
                        },
                        key -> watcher.afterKey(key, ours.taken() + theirs.taken(), tally));
        return tally.now();
    }

    @Override
    public void close() throws IOException {
        try (journalReader) {
            statementReader.close();
        }
    }
}
