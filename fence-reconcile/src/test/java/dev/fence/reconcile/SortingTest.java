package dev.fence.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SortingTest {

    private static final Instant NOW = Instant.parse("2026-11-29T02:30:00.123456789Z");

    @TempDir
    Path folder;

    private TemporarySpace space(int inMemory) {
        return TemporarySpace.standard().in(folder).withEntriesInMemory(inMemory);
    }

    private static List<BookEntry> entries(int count) {
        Random random = new Random(count);
        List<BookEntry> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            entries.add(new BookEntry(
                    "key-" + random.nextInt(count),
                    new BigDecimal(random.nextInt()).movePointLeft(random.nextInt(18)),
                    "EUR",
                    NOW,
                    "\u00fc" + i,
                    Claim.MAY_HAVE_HAPPENED,
                    i + 1));
        }
        return entries;
    }

    private List<BookEntry> sorted(List<BookEntry> entries, int inMemory) throws IOException {
        List<BookEntry> sorted = new ArrayList<>();
        try (BookReader reader = SortedReader.sort(
                "book", Book.of("book", false, entries::iterator).open(), KeyOrder.UTF8, space(inMemory))) {
            for (BookEntry entry = reader.next(); entry != null; entry = reader.next()) {
                sorted.add(entry);
            }
        }
        return sorted;
    }

    /** 3 in memory are 1,000 runs, more than are merged at once. */
    @Test
    void whatIsSortedOnDiskIsWhatWouldBeSortedInMemoryEveryFieldOfIt() throws IOException {
        List<BookEntry> entries = entries(3_000);
        List<BookEntry> expected = entries.stream()
                .sorted(Comparator.comparing(BookEntry::key, KeyOrder.UTF8))
                .toList();
        assertThat(sorted(entries, 3)).isEqualTo(expected);
        assertThat(sorted(entries, 5_000)).isEqualTo(expected);
        assertThat(sorted(List.of(), 5)).isEmpty();
    }

    @Test
    void theTemporaryFileIsGoneWhileItIsUsedAndAfterwards() throws IOException {
        try (BookReader reader = SortedReader.sort(
                "book", Book.of("book", false, entries(100)::iterator).open(), KeyOrder.UTF8, space(10))) {
            assertThat(files()).isEmpty();
            assertThat(reader.next()).isNotNull();
        }
        assertThat(files()).isEmpty();
    }

    @Test
    void moreSpaceThanPermittedIsRefusedAndNothingIsLeft() throws IOException {
        assertThatThrownBy(() -> SortedReader.sort(
                        "big",
                        Book.of("big", false, entries(30_000)::iterator).open(),
                        KeyOrder.UTF8,
                        space(1_000).withMaxBytes(1 << 20)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("big")
                .hasMessageContaining("1048576");
        assertThat(files()).isEmpty();
    }

    @Test
    void aBookThatBreaksInTheMiddleLeavesNothing() throws IOException {
        BookReader breaking = new BookReader() {
            private int count;

            @Override
            public BookEntry next() throws IOException {
                if (count++ == 50) {
                    throw new IOException("the disk is gone");
                }
                return BookEntry.of("k" + count, BigDecimal.ONE, "EUR", NOW);
            }

            @Override
            public void close() {}
        };
        assertThatThrownBy(() -> SortedReader.sort("book", breaking, KeyOrder.UTF8, space(10)))
                .hasMessage("the disk is gone");
        assertThat(files()).isEmpty();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }
}
