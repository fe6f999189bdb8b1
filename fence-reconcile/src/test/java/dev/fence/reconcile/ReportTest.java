package dev.fence.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import dev.fence.reconcile.Finding.Kind;
import dev.fence.reconcile.PlantedBooks.Plant;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReportTest {

    private static final CsvLayout LAYOUT =
            CsvLayout.of("key", "amount", "currency", "time").inOrderOfKeys();

    @TempDir
    Path folder;

    private final PlantedBooks books = new PlantedBooks(new Random(8));
    private Path report;

    @BeforeEach
    void plantEveryKind() {
        report = folder.resolve("report");
        for (int i = 0; i < 10; i++) {
            for (Plant plant : Plant.values()) {
                if (plant != Plant.REFUSED_AND_ABSENT && plant != Plant.REFUSED_AND_PAID) { // a file has no claims
                    books.plant("key-" + i + "-" + plant, plant);
                }
            }
        }
    }

    private Path csv(String name, Book book) throws IOException {
        StringBuilder text = new StringBuilder("key,amount,currency,time\n");
        try (BookReader reader = book.open()) {
            for (BookEntry entry = reader.next(); entry != null; entry = reader.next()) {
                text.append(String.join(
                                ",", entry.key(), entry.amount().toPlainString(), entry.currency(), entry.at() + ""))
                        .append('\n');
            }
        }
        return Files.writeString(folder.resolve(name), text);
    }

    private Reconciliation files() throws IOException {
        return Reconciliation.compare(
                CsvBook.of(csv("journal.csv", books.journal(true)), LAYOUT),
                CsvBook.of(csv("statement.csv", books.statement(true)), LAYOUT),
                PlantedBooks.RULES);
    }

    private long differences() {
        return books.planted(Kind::isDifference).values().stream()
                .mapToLong(List::size)
                .sum();
    }

    @Test
    void theJsonReportIsADocumentWithEachDifference() throws IOException {
        BookTotals totals = files().report(report, ReportFormat.JSON);
        JsonNode json = new ObjectMapper().readTree(report.toFile());
        assertThat(json.get("findings")).hasSize((int) differences());
        assertThat(json.at("/totals/differences").asLong()).isEqualTo(totals.differences());
        List<String> kinds = new ArrayList<>();
        json.get("findings").forEach(finding -> kinds.add(finding.get("kind").asText()));
        assertThat(kinds)
                .containsAll(Stream.of(Kind.values())
                        .filter(kind -> kind.isDifference() && kind != Kind.CONTRADICTED)
                        .map(Kind::name)
                        .toList())
                .doesNotContain("MATCHED");
        assertThat(json.at("/findings/0/journal/amount").isTextual()
                        || json.at("/findings/0/statement/amount").isTextual())
                .isTrue();
    }

    @Test
    void anEmptyReportIsADocumentToo() throws IOException {
        Book nothing = Book.of("nothing", true, () -> List.<BookEntry>of().iterator());
        Reconciliation.compare(nothing, nothing, MatchingRules.exact()).report(report, ReportFormat.JSON);
        assertThat(new ObjectMapper().readTree(report.toFile()).get("findings")).isEmpty();
    }

    @Test
    void theCsvReportHasALineForEachDifferenceAndTheTotals() throws IOException {
        BookTotals totals = files().report(report, ReportFormat.CSV);
        try (CsvReader<NamedCsvRecord> lines = CsvReader.builder()
                .allowExtraFields(false)
                .allowMissingFields(false)
                .ofNamedCsvRecord(report)) {
            List<NamedCsvRecord> all = lines.stream().toList();
            assertThat(all).hasSize((int) differences() + 2 + Kind.values().length);
            assertThat(all)
                    .filteredOn(line -> line.getField("kind").equals("TOTAL")
                            && line.getField("key").equals("MATCHED"))
                    .singleElement()
                    .satisfies(line ->
                            assertThat(line.getField("note")).isEqualTo(String.valueOf(totals.of(Kind.MATCHED))));
        }
    }

    @Test
    void theTextReportNamesBothLinesAndWhatDiffers() throws IOException {
        files().report(report, ReportFormat.TEXT);
        assertThat(Files.readAllLines(report))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("differs ")
                        .contains("[journal line ")
                        .contains("[statement line ")
                        .endsWith("(currency)"))
                .anySatisfy(line -> assertThat(line).contains("differences"));
    }

    @Test
    void aReportIsNotOverwritten() throws IOException {
        Files.writeString(report, "yesterday's");
        assertThatThrownBy(() -> files().report(report, ReportFormat.TEXT)).hasMessageContaining("not overwritten");
        assertThat(report).hasContent("yesterday's");
    }

    @Test
    void aMalformedBookLeavesNoReportHoweverLateItIsSeen() throws IOException {
        Reconciliation reconciliation = files();
        Path statement = folder.resolve("statement.csv");
        Files.writeString(statement, Files.readString(statement) + "zzz,1.0,EUR,yesterday\n");
        assertThatThrownBy(() -> reconciliation.report(report, ReportFormat.CSV))
                .isInstanceOf(MalformedBookException.class)
                .hasMessageContaining("field \"time\"");
        assertThatThrownBy(() -> reconciliation.resumableReport(report, ReportFormat.CSV, 10))
                .isInstanceOf(MalformedBookException.class);
        assertThat(leftovers()).isEmpty();
    }

    @Test
    void aBookThatIsOutOfOrderIsRefusedWithItsLine() throws IOException {
        Reconciliation reconciliation = files();
        Path statement = folder.resolve("statement.csv");
        List<String> lines = new ArrayList<>(Files.readAllLines(statement));
        lines.add(50, lines.get(10));
        Files.write(statement, lines);
        assertThatThrownBy(() -> reconciliation.report(report, ReportFormat.TEXT))
                .isInstanceOfSatisfying(MalformedBookException.class, e -> {
                    assertThat(e.line()).isEqualTo(51);
                    assertThat(e.field()).isEqualTo("key");
                })
                .hasMessageContaining("comes after");
        assertThat(leftovers()).isEmpty();
    }

    /** Broken off at any point, the report becomes the same, and it is not begun anew. */
    @ParameterizedTest
    @EnumSource(ReportFormat.class)
    void aReportThatBrokeOffGoesOnWhereItWas(ReportFormat format) throws IOException {
        Reconciliation reconciliation = files();
        BookTotals whole = reconciliation.report(folder.resolve("whole"), format);
        int breaks = 0;
        for (int at = 40; !Files.exists(report); at += 40) {
            long limit = at;
            try {
                BookTotals resumed = reconciliation
                        .withProgress(1, totals -> {
                            if (totals.journalEntries() + totals.statementEntries() > limit) {
                                throw new UncheckedIOException(new IOException("killed"));
                            }
                        })
                        .resumableReport(report, format, 15);
                assertThat(resumed).isEqualTo(whole);
            } catch (UncheckedIOException e) {
                breaks++;
                assertThat(folder.resolve("report.checkpoint")).exists();
            }
        }
        assertThat(breaks).isGreaterThan(3);
        assertThat(report).isNotEmptyFile().hasSameTextualContentAs(folder.resolve("whole"));
        assertThat(leftovers()).containsExactlyInAnyOrder(report, folder.resolve("whole"));
    }

    @Test
    void aReportDoesNotGoOnOverABookThatHasChangedNorUnderOtherRules() throws IOException {
        Reconciliation reconciliation = files();
        breakOff(reconciliation);
        String before = Files.readString(folder.resolve("report.checkpoint"));
        assertThatThrownBy(() -> Reconciliation.compare(
                                CsvBook.of(folder.resolve("journal.csv"), LAYOUT),
                                CsvBook.of(folder.resolve("statement.csv"), LAYOUT),
                                MatchingRules.exact())
                        .resumableReport(report, ReportFormat.CSV, 15))
                .hasMessageContaining("the rules changed");
        // the last line, which was not read yet
        Path statement = folder.resolve("statement.csv");
        Files.writeString(statement, Files.readString(statement) + "zzz,1.0,EUR,2026-11-29T10:00:00Z\n");
        assertThatThrownBy(() -> reconciliation.resumableReport(report, ReportFormat.CSV, 15))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the statement changed");
        assertThat(folder.resolve("report.checkpoint")).hasContent(before);
        assertThat(report).doesNotExist();
    }

    @Test
    void aReportThatLostBytesSinceItsCheckpointDoesNotGoOn() throws IOException {
        Reconciliation reconciliation = files();
        breakOff(reconciliation);
        Path part = folder.resolve("report.part");
        Files.writeString(part, Files.readString(part).substring(0, 10));

        assertThatThrownBy(() -> reconciliation.resumableReport(report, ReportFormat.CSV, 15))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("10 bytes");
        assertThat(report).doesNotExist();
    }

    private void breakOff(Reconciliation reconciliation) {
        assertThatThrownBy(() -> reconciliation
                        .withProgress(60, totals -> {
                            throw new IllegalStateException("killed");
                        })
                        .resumableReport(report, ReportFormat.CSV, 15))
                .hasMessage("killed");
    }

    @Test
    void twoRunsDoNotWriteOneReportAndTheSecondOneLeavesTheFirstAlone() throws IOException {
        Reconciliation reconciliation = files();
        Path part = folder.resolve("report.part");
        try (PartFile first = new PartFile(part, 0)) {
            first.write("of the first");
            assertThat(first.durable()).isEqualTo(12);
            assertThatThrownBy(() -> reconciliation.report(report, ReportFormat.CSV))
                    .hasMessageContaining("being written");
            assertThat(part).hasContent("of the first");
        }
    }

    @Test
    void aReportThatFailsOtherwiseLeavesNothingIfItIsNotToGoOn() throws IOException {
        Reconciliation failing = files().withProgress(60, totals -> {
            throw new IllegalStateException("full");
        });
        assertThatThrownBy(() -> failing.report(report, ReportFormat.CSV)).hasMessage("full");
        assertThat(leftovers()).isEmpty();
    }

    @Test
    void aBookWithoutAFingerprintIsNotResumable() {
        assertThatThrownBy(() -> Reconciliation.compare(books.journal(true), books.statement(true), PlantedBooks.RULES)
                        .resumableReport(report, ReportFormat.CSV, 15))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("fingerprint");
    }

    private List<Path> leftovers() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> !file.toString().endsWith(".csv")).toList();
        }
    }
}
