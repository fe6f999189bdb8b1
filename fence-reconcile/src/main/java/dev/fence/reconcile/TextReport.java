package dev.fence.reconcile;

import dev.fence.reconcile.Finding.Side;
import org.jspecify.annotations.Nullable;

final class TextReport implements ReportWriter {

    @Override
    public String begin() {
        return "";
    }

    @Override
    public String finding(Finding finding, boolean first) {
        String note = ReportWriter.note(finding);
        return "%-19s %s%s%s\n"
                .formatted(
                        ReportWriter.name(finding.kind()),
                        side("journal", finding.entry(Side.JOURNAL)),
                        side("statement", finding.entry(Side.STATEMENT)),
                        note.isEmpty() ? "" : " (" + note + ")");
    }

    private static String side(String book, @Nullable BookEntry entry) {
        if (entry == null) {
            return "";
        }
        return "[%s line %d: %s%s %s %s, %s, %s]"
                .formatted(
                        book,
                        entry.line(),
                        entry.key(),
                        entry.reference().isEmpty() ? "" : " \"" + entry.reference() + "\"",
                        entry.amount().toPlainString(),
                        entry.currency(),
                        entry.at(),
                        ReportWriter.name(entry.claim()));
    }

    @Override
    public String end(BookTotals totals) {
        StringBuilder text = new StringBuilder()
                .append("%d entries in the journal, %d in the statement, %d differences\n"
                        .formatted(totals.journalEntries(), totals.statementEntries(), totals.differences()));
        totals.findings()
                .forEach((kind, count) -> text.append("  %-24s %d\n".formatted(ReportWriter.name(kind), count)));
        return text.toString();
    }
}
