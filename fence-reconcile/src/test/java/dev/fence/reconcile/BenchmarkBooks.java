package dev.fence.reconcile;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.LongUnaryOperator;

/** A journal and a statement of any length, the same at every run, with a few differences in them. */
final class BenchmarkBooks {

    private static final CsvLayout LAYOUT =
            CsvLayout.of("key", "amount", "currency", "time").withReference("reference");
    private static final Instant FROM = Instant.parse("2026-11-29T00:00:00Z");

    /** One in so many entries is missing at the provider, one unknown to the journal, and one differs. */
    private static final int EVERY = 10_000;

    /** A prime: multiplied by it, the numbers below any smaller count come in another order. */
    private static final long STRIDE = 2_147_483_647L;

    private static final long MISSING = 0;
    private static final long UNKNOWN = 1;
    private static final long DIFFERING = 2;

    private final Path folder;
    private final long entries;

    BenchmarkBooks(Path folder, long entries) {
        this.folder = folder;
        this.entries = entries;
    }

    /** How many differences there are: of each kind as many. */
    long ofEachKind() {
        return entries / EVERY;
    }

    Book journal() throws IOException {
        return CsvBook.of(write("journal.csv", true, i -> i), LAYOUT.inOrderOfKeys());
    }

    Book statement() throws IOException {
        return CsvBook.of(write("statement.csv", false, i -> i), LAYOUT.inOrderOfKeys());
    }

    /** The same lines in another order. */
    Book unsortedStatement() throws IOException {
        return CsvBook.of(write("unsorted.csv", false, i -> i * STRIDE % entries), LAYOUT);
    }

    private Path write(String name, boolean journal, LongUnaryOperator order) throws IOException {
        Path file = folder.resolve(name);
        if (Files.exists(file)) {
            return file;
        }
        StringBuilder line = new StringBuilder();
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write("key,amount,currency,time,reference\n");
            for (long n = 0; n < entries; n++) {
                long i = order.applyAsLong(n);
                long part = i % EVERY;
                if (part != (journal ? UNKNOWN : MISSING)) {
                    line.setLength(0);
                    append(line, i, !journal && part == DIFFERING);
                    out.append(line);
                }
            }
        }
        return file;
    }

    private static void append(StringBuilder line, long i, boolean differing) {
        long cents = Math.floorMod(i * 7919, 1_000_000L) + 100;
        String digits = Long.toHexString(0x10000000L + i);
        line.append(digits).append("00c0ffee".repeat(3)).append(','); // 32 digits, as an effect's key has
        line.append(cents / 100).append('.').append(10 + cents % 90).append(',');
        line.append(differing ? "USD" : "EUR").append(',');
        line.append(FROM.plusSeconds(i % 86_400)).append(",tx-").append(i).append('\n');
    }
}
