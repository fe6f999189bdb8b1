package dev.fence.reconcile;

import dev.fence.reconcile.Finding.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * How much longer comparing takes than merely reading both books, entry by entry, in the same run; and how much heap. {@code
 * script/bench reconcile} runs it. Journal and statement are CSV files in the order of the keys; the second figure is of a statement
 * that is not, and is sorted on disk.
 */
final class Benchmark {

    private static final long ENTRIES = 10_000_000;
    private static final long QUICK_ENTRIES = 1_000_000;
    private static final long WARM_UP_ENTRIES = 200_000;

    private record Result(long entries, long peakHeap, long peakLive, double ratioToReading, double perSecond) {
        String json() {
            return String.format(
                    Locale.ROOT,
                    "{\"entries\":%d,\"peakHeapBytes\":%d,\"peakLiveHeapBytes\":%d,\"ratioToReading\":%.3f,"
                            + "\"entriesPerSecond\":%.0f}",
                    entries,
                    peakHeap,
                    peakLive,
                    ratioToReading,
                    perSecond);
        }
    }

    private Benchmark() {}

    /** {@code [--quick] [--json FILE]} */
    public static void main(String[] args) throws Exception {
        List<String> arguments = Arrays.asList(args);
        long entries = arguments.contains("--quick") ? QUICK_ENTRIES : ENTRIES;
        Path folder = Files.createTempDirectory("books");
        BenchmarkBooks warmUp = new BenchmarkBooks(Files.createDirectory(folder.resolve("warm-up")), WARM_UP_ENTRIES);
        measured(warmUp, warmUp.statement());
        measured(warmUp, warmUp.unsortedStatement());
        System.out.printf("writing two books of %,d entries%n", entries);
        BenchmarkBooks books = new BenchmarkBooks(folder, entries);
        Result sorted = measured(books, books.statement());
        System.out.println("in order: " + sorted.json());
        Result unsorted = measured(books, books.unsortedStatement());
        System.out.println("not in order: " + unsorted.json());
        String json = "{\"results\":[" + sorted.json() + "],\"unsortedStatement\":" + unsorted.json() + "}";
        int file = arguments.indexOf("--json") + 1;
        if (file > 0) {
            Files.writeString(Path.of(arguments.get(file)), json + "\n");
        }
        System.out.println(json);
    }

    private static Result measured(BenchmarkBooks books, Book statement) throws Exception {
        Book journal = books.journal();
        long reading = read(journal, statement);
        long comparing;
        Totals totals;
        long heap;
        long live;
        try (HeapWatch watch = new HeapWatch()) {
            long start = System.nanoTime();
            totals = Reconciliation.compare(journal, statement, MatchingRules.exact())
                    .run(finding -> {});
            comparing = System.nanoTime() - start;
            heap = watch.peakBytes();
            live = watch.peakBytesAfterCollection();
        }
        reading = (reading + read(journal, statement)) / 2; // before and after: the machine is not always the same
        requireRight(totals, books);
        long entries = totals.journalEntries() + books.ofEachKind();
        return new Result(entries, heap, live, (double) reading / comparing, entries * 1e9 / comparing);
    }

    private static long read(Book... books) throws IOException {
        long start = System.nanoTime();
        long amounts = 0;
        for (Book book : books) {
            try (BookReader reader = book.open()) {
                for (BookEntry entry = reader.next(); entry != null; entry = reader.next()) {
                    amounts += entry.amount().unscaledValue().longValue();
                }
            }
        }
        if (amounts == 0) {
            throw new AssertionError("nothing was read");
        }
        return System.nanoTime() - start;
    }

    private static void requireRight(Totals totals, BenchmarkBooks books) {
        for (Kind kind : List.of(Kind.MISSING_AT_PROVIDER, Kind.UNKNOWN_TO_JOURNAL, Kind.DIFFERS)) {
            if (totals.of(kind) != books.ofEachKind() || totals.differences() != 3 * books.ofEachKind()) {
                throw new AssertionError(books.ofEachKind() + " of each kind were planted, and found: " + totals);
            }
        }
    }
}
