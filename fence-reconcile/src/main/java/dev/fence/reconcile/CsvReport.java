package dev.fence.reconcile;

import de.siegmar.fastcsv.writer.CsvWriter;
import dev.fence.reconcile.Finding.Side;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

final class CsvReport implements ReportWriter {

    private static final List<String> SIDE = List.of("line", "reference", "amount", "currency", "time", "claim");

    @Override
    public String begin() {
        List<String> names = new ArrayList<>(List.of("kind", "key", "note"));
        SIDE.forEach(name -> names.add("journal_" + name));
        SIDE.forEach(name -> names.add("statement_" + name));
        return line(names);
    }

    @Override
    public String finding(Finding finding, boolean first) {
        String key = finding.ours().or(finding::theirs).map(BookEntry::key).orElse("");
        List<String> fields = new ArrayList<>(List.of(finding.kind().name(), key, ReportWriter.note(finding)));
        add(fields, finding.entry(Side.JOURNAL));
        add(fields, finding.entry(Side.STATEMENT));
        return line(fields);
    }

    private static void add(List<String> fields, @Nullable BookEntry entry) {
        fields.addAll(
                entry == null
                        ? Collections.nCopies(SIDE.size(), "")
                        : List.of(
                                String.valueOf(entry.line()),
                                entry.reference(),
                                entry.amount().toPlainString(),
                                entry.currency(),
                                entry.at().toString(),
                                entry.claim().name()));
    }

    @Override
    public String end(BookTotals totals) {
        StringBuilder text = new StringBuilder();
        text.append(total("JOURNAL_ENTRIES", totals.journalEntries()));
        text.append(total("STATEMENT_ENTRIES", totals.statementEntries()));
        totals.findings().forEach((kind, count) -> text.append(total(kind.name(), count)));
        return text.toString();
    }

    private static String total(String what, long count) {
        List<String> fields = new ArrayList<>(List.of("TOTAL", what, String.valueOf(count)));
        fields.addAll(Collections.nCopies(2 * SIDE.size(), ""));
        return line(fields);
    }

    private static String line(List<String> fields) {
        StringWriter text = new StringWriter();
        try (CsvWriter csv = CsvWriter.builder().build(text)) {
            csv.writeRecord(fields);
        } catch (IOException e) {
            throw new UncheckedIOException("a StringWriter does no I/O", e);
        }
        return text.toString();
    }
}
