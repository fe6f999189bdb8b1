package dev.fence.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.reconcile.Finding.Kind;
import dev.fence.reconcile.Finding.Side;
import dev.fence.reconcile.PlantedBooks.Plant;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Every difference that was put into a pair of books is found, and no other. */
class PlantedDifferencesProperties {

    /** With shared prefixes, and characters on both sides of the surrogates. */
    @Provide
    Arbitrary<String> keys() {
        return Arbitraries.of("a", "b", "-", "é", "\uE000", "\uFFFD", "\uD83D\uDE00", "z9")
                .list()
                .ofMinSize(1)
                .ofMaxSize(6)
                .map(parts -> String.join("", parts));
    }

    @Provide
    Arbitrary<Map<String, Plant>> plants() {
        return Arbitraries.maps(keys(), Arbitraries.of(Plant.class)).ofMaxSize(60);
    }

    @Property(tries = 300)
    void everyPlantedDifferenceIsFoundAndNoneIsInvented(
            @ForAll("plants") Map<String, Plant> plants,
            @ForAll long seed,
            @ForAll boolean journalSorted,
            @ForAll boolean statementSorted)
            throws IOException {
        PlantedBooks books = books(plants, seed);
        Map<String, List<Kind>> found = new TreeMap<>(KeyOrder.UTF8);
        BookTotals totals = Reconciliation.compare(
                        books.journal(journalSorted), books.statement(statementSorted), PlantedBooks.RULES)
                .withTemporarySpace(TemporarySpace.standard().withEntriesInMemory(7))
                .run(finding -> found.computeIfAbsent(key(finding), k -> new ArrayList<>())
                        .add(finding.kind()));

        assertThat(found).isEqualTo(books.planted);
        assertThat(totals.journalEntries()).isEqualTo(books.journal.size());
        assertThat(totals.statementEntries()).isEqualTo(books.statement.size());
        assertThat(totals.differences())
                .isEqualTo(books.planted(Kind::isDifference).values().stream()
                        .mapToLong(List::size)
                        .sum());
    }

    @Property(tries = 300)
    void eachEntryIsInExactlyOneFinding(@ForAll("plants") Map<String, Plant> plants, @ForAll long seed)
            throws IOException {
        PlantedBooks books = books(plants, seed);
        List<Long> ours = new ArrayList<>();
        List<Long> theirs = new ArrayList<>();
        Reconciliation.compare(books.journal(true), books.statement(false), PlantedBooks.RULES)
                .run(finding -> {
                    finding.ours().ifPresent(entry -> ours.add(entry.line()));
                    finding.theirs().ifPresent(entry -> theirs.add(entry.line()));
                });
        assertThat(ours).doesNotHaveDuplicates().hasSize(books.journal.size());
        assertThat(theirs).doesNotHaveDuplicates().hasSize(books.statement.size());
    }

    @Property(tries = 500)
    void keysAreInTheOrderOfTheirUtf8Bytes(@ForAll("keys") String a, @ForAll("keys") String b) {
        int bytes = Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
        assertThat(Integer.signum(KeyOrder.UTF8.compare(a, b))).isEqualTo(Integer.signum(bytes));
    }

    /** The twins: each has one bug of the kind that loses money, and must be caught. */
    @Property(tries = 1)
    void aMergeWithABugIsCaught() throws IOException {
        Judge honest = new Judge.ByRules(PlantedBooks.RULES);
        assertThat(isCaught(KeyOrder.UTF8, honest)).isFalse();
        assertThat(isCaught(KeyOrder.UTF8, new BlindToCurrency(honest))).isTrue();
        assertThat(isCaught(KeyOrder.UTF8, new Judge.ByRules(PlantedBooks.RULES.withTolerance("EUR", BigDecimal.ONE))))
                .isTrue();
        assertThat(isCaught(
                        Comparator.comparing(key -> key.substring(0, Math.min(5, key.length())), KeyOrder.UTF8),
                        honest))
                .as("sees the first 5 characters of a key only")
                .isTrue();
    }

    private static boolean isCaught(Comparator<String> order, Judge judge) throws IOException {
        Map<String, Plant> plants = new TreeMap<>(KeyOrder.UTF8);
        for (Plant plant : Plant.values()) {
            plants.put("key-" + plant, plant);
        }
        PlantedBooks books = books(plants, 8);
        Map<String, List<Kind>> found = new TreeMap<>(KeyOrder.UTF8);
        try (BookReader ours = books.journal(true).open();
                BookReader theirs = books.statement(true).open()) {
            new Merge(order, judge)
                    .run(
                            new Cursor(Side.JOURNAL, "journal", ours, order),
                            new Cursor(Side.STATEMENT, "statement", theirs, order),
                            finding -> found.computeIfAbsent(key(finding), k -> new ArrayList<>())
                                    .add(finding.kind()),
                            key -> {});
        }
        return !found.equals(books.planted);
    }

    private record BlindToCurrency(Judge honest) implements Judge {
        @Override
        public Finding pair(BookEntry ours, BookEntry theirs) {
            return honest.pair(ours, BookEntry.of(theirs.key(), theirs.amount(), ours.currency(), theirs.at()));
        }

        @Override
        public Finding ours(BookEntry ours) {
            return honest.ours(ours);
        }

        @Override
        public Finding theirs(BookEntry theirs) {
            return honest.theirs(theirs);
        }
    }

    private static PlantedBooks books(Map<String, Plant> plants, long seed) {
        PlantedBooks books = new PlantedBooks(new Random(seed));
        plants.forEach(books::plant);
        return books;
    }

    private static String key(Finding finding) {
        return finding.ours().or(finding::theirs).orElseThrow().key();
    }
}
