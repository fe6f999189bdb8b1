package dev.fence.reconcile;

import java.io.IOException;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** The merge join of two books in the order of their keys. Holds four entries at most, whatever the books are like. */
final class Merge {

    private final Comparator<String> order;
    private final Judge judge;

    Merge(Comparator<String> order, Judge judge) {
        this.order = order;
        this.judge = judge;
    }

    /** Told when everything about a key has been said. */
    interface Watcher {
        void afterKey(String key) throws IOException;
    }

    void run(Cursor journal, Cursor statement, FindingSink sink, Watcher watcher) throws IOException {
        for (String key = first(journal, statement); key != null; key = first(journal, statement)) {
            aboutKey(key, journal, statement, sink);
            watcher.afterKey(key);
        }
    }

    private @Nullable String first(Cursor journal, Cursor statement) {
        BookEntry ours = journal.peek();
        BookEntry theirs = statement.peek();
        if (ours == null) {
            return theirs == null ? null : theirs.key();
        }
        return theirs == null || order.compare(ours.key(), theirs.key()) <= 0 ? ours.key() : theirs.key();
    }

    private void aboutKey(String key, Cursor journal, Cursor statement, FindingSink sink) throws IOException {
        BookEntry ours = journal.isAt(key) ? journal.take() : null;
        BookEntry theirs = statement.isAt(key) ? statement.take() : null;
        if (journal.isAt(key) || statement.isAt(key)) {
            allAreDuplicates(key, ours, journal, sink);
            allAreDuplicates(key, theirs, statement, sink);
        } else if (ours == null) {
            if (theirs != null) {
                sink.accept(judge.theirs(theirs));
            }
        } else {
            sink.accept(theirs == null ? judge.ours(ours) : judge.pair(ours, theirs));
        }
    }

    private static void allAreDuplicates(String key, @Nullable BookEntry first, Cursor cursor, FindingSink sink)
            throws IOException {
        BookEntry entry = first;
        for (long copy = 1; entry != null; copy++) {
            sink.accept(new Finding.Duplicate(entry, cursor.side(), copy));
            entry = cursor.isAt(key) ? cursor.take() : null;
        }
    }
}
