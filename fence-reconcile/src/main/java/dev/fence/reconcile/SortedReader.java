package dev.fence.reconcile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Sorts a book on disk (external merge sort; Knuth, TAOCP 3, 5.4) and reads the result. Equal keys stay in the order of the book.
 */
final class SortedReader implements BookReader {

    /** Each run that is merged takes a buffer of 64 KiB. */
    private static final int FAN_IN = 128;

    private final Spool spool;
    private final Iterator<BookEntry> merged;
    private final BookReader unsorted;

    private SortedReader(Spool spool, Iterator<BookEntry> merged, BookReader unsorted) {
        this.spool = spool;
        this.merged = merged;
        this.unsorted = unsorted;
    }

    /** Reads all of {@code unsorted}, and closes it with the result, not before. */
    static SortedReader sort(String book, BookReader unsorted, Comparator<String> keys, TemporarySpace space)
            throws IOException {
        Comparator<BookEntry> order = Comparator.comparing(BookEntry::key, keys);
        Spool spool = new Spool(book, space);
        boolean sorted = false;
        try {
            List<Spool.Run> runs = runs(unsorted, order, spool, space.entriesInMemory());
            while (runs.size() > FAN_IN) {
                runs = fewer(runs, order, spool);
            }
            SortedReader result = new SortedReader(spool, new Merged(runs, spool, order), unsorted);
            sorted = true;
            return result;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } finally {
            if (!sorted) {
                spool.close();
            }
        }
    }

    private static List<Spool.Run> fewer(List<Spool.Run> runs, Comparator<BookEntry> order, Spool spool)
            throws IOException {
        List<Spool.Run> fewer = new ArrayList<>();
        for (int i = 0; i < runs.size(); i += FAN_IN) {
            fewer.add(spool.append(new Merged(runs.subList(i, Math.min(i + FAN_IN, runs.size())), spool, order)));
        }
        return fewer;
    }

    private static List<Spool.Run> runs(BookReader unsorted, Comparator<BookEntry> order, Spool spool, int inMemory)
            throws IOException {
        List<Spool.Run> runs = new ArrayList<>();
        List<BookEntry> chunk = new ArrayList<>(); // stable: List.sort is
        for (BookEntry entry = unsorted.next(); entry != null; entry = unsorted.next()) {
            chunk.add(entry);
            if (chunk.size() == inMemory) {
                chunk.sort(order);
                runs.add(spool.append(chunk.iterator()));
                chunk.clear();
            }
        }
        chunk.sort(order);
        runs.add(spool.append(chunk.iterator()));
        return runs;
    }

    @Override
    public @Nullable BookEntry next() throws IOException {
        try {
            return merged.hasNext() ? merged.next() : null;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    @Override
    public String fingerprint() throws IOException {
        return unsorted.fingerprint();
    }

    @Override
    public void close() throws IOException {
        try (unsorted) {
            spool.close();
        }
    }

    /** Several runs as one. */
    private static final class Merged implements Iterator<BookEntry> {

        private record Head(BookEntry entry, int run, Spool.RunReader rest) {}

        private final PriorityQueue<Head> heads;

        Merged(List<Spool.Run> runs, Spool spool, Comparator<BookEntry> order) throws IOException {
            // of equal keys, the one of the earlier run first
            heads = new PriorityQueue<>(Comparator.comparing(Head::entry, order).thenComparingInt(Head::run));
            for (int run = 0; run < runs.size(); run++) {
                refill(run, spool.read(runs.get(run)));
            }
        }

        private void refill(int run, Spool.RunReader rest) throws IOException {
            BookEntry entry = rest.next();
            if (entry != null) {
                heads.add(new Head(entry, run, rest));
            }
        }

        @Override
        public boolean hasNext() {
            return !heads.isEmpty();
        }

        @Override
        public BookEntry next() {
            Head head = heads.poll();
            if (head == null) {
                throw new NoSuchElementException();
            }
            try {
                refill(head.run(), head.rest());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return head.entry();
        }
    }
}
