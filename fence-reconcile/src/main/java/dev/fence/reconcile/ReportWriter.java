package dev.fence.reconcile;

import java.util.Locale;

/** The words of a report. No state: a report that broke off goes on anywhere. */
interface ReportWriter {

    String begin();

    /**
     * One finding.
     *
     * @param first whether it is the first of the report
     */
    String finding(Finding finding, boolean first);

    String end(BookTotals totals);

    static String name(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What is to be said beside the two entries. */
    static String note(Finding finding) {
        if (finding instanceof Finding.Differs differs) {
            return String.join(
                    " ",
                    differs.fields().stream().sorted().map(ReportWriter::name).toList());
        }
        return finding instanceof Finding.Duplicate duplicate ? "copy " + duplicate.copy() : "";
    }
}
