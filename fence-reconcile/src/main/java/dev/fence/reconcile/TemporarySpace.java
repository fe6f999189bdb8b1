package dev.fence.reconcile;

import java.nio.file.Path;

/**
 * Where a book that is not sorted is sorted, and how much it may take. The file has no name from the moment it is made where the
 * system permits that, so that not even a killed process leaves it behind.
 *
 * @param folder where; it needs room
 * @param maxBytes for each book: 1 MiB or more. An entry takes about 60 bytes and its texts; beyond 6 million entries in the
 *     default setting, twice that
 * @param entriesInMemory how many are sorted at once: 1 to 10,000,000. 50,000 take about 15 MB
 */
public record TemporarySpace(Path folder, long maxBytes, int entriesInMemory) {

    private static final long MIB = 1L << 20;
    private static final int MIN_ENTRIES = 1;
    private static final int MAX_ENTRIES = 10_000_000;

    /** @throws IllegalArgumentException if a value is out of its range */
    public TemporarySpace {
        if (maxBytes < MIB || entriesInMemory < MIN_ENTRIES || entriesInMemory > MAX_ENTRIES) {
            throw new IllegalArgumentException("temporary space of " + maxBytes + " bytes with " + entriesInMemory
                    + " entries in memory is out of range: at least " + MIB + " bytes and " + MIN_ENTRIES + " to "
                    + MAX_ENTRIES + " entries are permitted");
        }
    }

    /** The platform's temporary folder, 8 GiB for each book, 50,000 entries in memory. */
    public static TemporarySpace standard() {
        return new TemporarySpace(Path.of(System.getProperty("java.io.tmpdir", ".")), 8192 * MIB, 50_000);
    }

    public TemporarySpace in(Path folder) {
        return new TemporarySpace(folder, maxBytes, entriesInMemory);
    }

    public TemporarySpace withMaxBytes(long maxBytes) {
        return new TemporarySpace(folder, maxBytes, entriesInMemory);
    }

    public TemporarySpace withEntriesInMemory(int entriesInMemory) {
        return new TemporarySpace(folder, maxBytes, entriesInMemory);
    }
}
