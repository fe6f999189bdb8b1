package dev.fence.reconcile;

/** How a report is written; always in UTF-8, one line for each difference, in the order of the keys, and the totals at the end. */
public enum ReportFormat {
    /** For people. */
    TEXT,
    /** One document: {@code {"findings":[...],"totals":{...}}}. Amounts are strings, so that nobody reads them as floating point. */
    JSON,
    /** RFC 4180; the totals are lines of the kind {@code TOTAL}. */
    CSV;

    ReportWriter writer() {
        return switch (this) {
            case TEXT -> new TextReport();
            case JSON -> new JsonReport();
            case CSV -> new CsvReport();
        };
    }
}
