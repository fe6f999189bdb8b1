package dev.fence.reconcile;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.fence.reconcile.Finding.Kind;
import dev.fence.reconcile.Finding.Side;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

final class JsonReport implements ReportWriter {

    private static final JsonFactory JSON = new JsonFactory();

    @Override
    public String begin() {
        return "{\"findings\":[";
    }

    @Override
    public String finding(Finding finding, boolean first) {
        return (first ? "\n" : ",\n")
                + object(json -> {
                    json.writeStringField("kind", finding.kind().name());
                    json.writeStringField("note", ReportWriter.note(finding));
                    side(json, "journal", finding.entry(Side.JOURNAL));
                    side(json, "statement", finding.entry(Side.STATEMENT));
                });
    }

    private static void side(JsonGenerator json, String book, @Nullable BookEntry entry) throws IOException {
        if (entry == null) {
            return;
        }
        json.writeObjectFieldStart(book);
        json.writeNumberField("line", entry.line());
        json.writeStringField("key", entry.key());
        json.writeStringField("reference", entry.reference());
        json.writeStringField("amount", entry.amount().toPlainString());
        json.writeStringField("currency", entry.currency());
        json.writeStringField("time", entry.at().toString());
        json.writeStringField("claim", entry.claim().name());
        json.writeEndObject();
    }

    @Override
    public String end(BookTotals totals) {
        return "\n],\"totals\":"
                + object(json -> {
                    json.writeNumberField("journalEntries", totals.journalEntries());
                    json.writeNumberField("statementEntries", totals.statementEntries());
                    json.writeNumberField("differences", totals.differences());
                    for (Map.Entry<Kind, Long> count : totals.findings().entrySet()) {
                        json.writeNumberField(count.getKey().name(), count.getValue());
                    }
                })
                + "}\n";
    }

    private interface Fields {
        void write(JsonGenerator json) throws IOException;
    }

    private static String object(Fields fields) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            fields.write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("a StringWriter does no I/O", e);
        }
        return text.toString();
    }
}
