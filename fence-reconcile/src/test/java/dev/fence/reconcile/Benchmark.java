package dev.fence.reconcile;

import com.sun.management.OperatingSystemMXBean;
import dev.fence.reconcile.Finding.Kind;
import java.io.IOException;
import java.lang.management.ManagementFactory;
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

    /** By the clock, and by the processor: of these two, others on the machine disturb the first. */
    private record Spent(double seconds, double cpuSeconds) {

        static Spent on(Work work) throws IOException {
            OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
            long cpu = system.getProcessCpuTime(); // collecting garbage too
            long start = System.nanoTime();
            work.run();
            return new Spent((System.nanoTime() - start) / 1e9, (system.getProcessCpuTime() - cpu) / 1e9);
        }

        Spent and(Spent other) {
            return new Spent(seconds + other.seconds, cpuSeconds + other.cpuSeconds);
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    /** {@code reading} is of twice both books. */
    private record Result(long entries, long peakHeap, long peakLive, Spent reading, Spent comparing) {
        String json() {
            return String.format(
                    Locale.ROOT,
                    "{\"entries\":%d,\"peakHeapBytes\":%d,\"peakLiveHeapBytes\":%d,\"ratioToReading\":%.3f,"
                            + "\"cpuRatioToReading\":%.3f,\"entriesPerSecond\":%.0f}",
                    entries,
                    peakHeap,
                    peakLive,
                    reading.seconds() / 2 / comparing.seconds(),
                    reading.cpuSeconds() / 2 / comparing.cpuSeconds(),
                    entries / comparing.seconds());
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
        BookTotals[] totals = {BookTotals.NONE};
        Spent before = Spent.on(() -> read(journal, statement));
        Spent comparing;
        long heap;
        long live;
        try (HeapWatch watch = new HeapWatch()) {
            comparing = Spent.on(() -> totals[0] = Reconciliation.compare(journal, statement, MatchingRules.exact())
                    .run(finding -> {}));
            heap = watch.peakBytes();
            live = watch.peakBytesAfterCollection();
        }
        // before and after: the machine is not always the same
        Spent reading = before.and(Spent.on(() -> read(journal, statement)));
        requireRight(totals[0], books);
        return new Result(totals[0].journalEntries() + books.ofEachKind(), heap, live, reading, comparing);
    }

    private static void read(Book... books) throws IOException {
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
    }

    private static void requireRight(BookTotals totals, BenchmarkBooks books) {
        for (Kind kind : List.of(Kind.MISSING_AT_PROVIDER, Kind.UNKNOWN_TO_JOURNAL, Kind.DIFFERS)) {
            if (totals.of(kind) != books.ofEachKind() || totals.differences() != 3 * books.ofEachKind()) {
                throw new AssertionError(books.ofEachKind() + " of each kind were planted, and found: " + totals);
            }
        }
    }
}
