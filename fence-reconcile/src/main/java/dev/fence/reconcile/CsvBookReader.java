package dev.fence.reconcile;

import de.siegmar.fastcsv.reader.CloseableIterator;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the entries of a CSV file. What is wrong is said with its line and its field. */
final class CsvBookReader implements BookReader {

    private static final int NONE = -1;

    private final Path path;
    private final CsvLayout layout;
    private final CloseableIterator<CsvRecord> records;
    private final List<String> header;
    private final int key;
    private final int amount;
    private final int currency;
    private final int time;
    private final int reference;
    private long line;
    private long entries;

    CsvBookReader(Path path, CsvLayout layout) throws IOException {
        this.path = path;
        this.layout = layout;
        // decoding with errors, not with replacement characters
        Reader text = new InputStreamReader(
                Files.newInputStream(path),
                StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT));
        records = CsvReader.builder()
                .fieldSeparator(layout.separator())
                .skipEmptyLines(false)
                .allowExtraFields(true) // counted below, where the message has our words
                .allowMissingFields(true)
                .allowExtraCharsAfterClosingQuote(false)
                .ofCsvRecord(text)
                .iterator();
        try {
            header = header();
            key = column(layout.key());
            amount = column(layout.amount());
            currency = column(layout.currency());
            time = column(layout.time());
            reference = layout.reference().map(this::column).orElse(NONE);
        } catch (IOException | RuntimeException e) {
            records.close();
            throw e;
        }
    }

    private List<String> header() throws IOException {
        CsvRecord first = record();
        if (first == null) {
            throw malformed("", "there are no names of columns", null);
        }
        List<String> names = first.getFields();
        return names.get(0).startsWith("\uFEFF") // the mark that some programs put before UTF-8
                ? Stream.concat(
                                Stream.of(names.get(0).substring(1)),
                                names.stream().skip(1))
                        .toList()
                : names;
    }

    private int column(String name) {
        int index = header.indexOf(name);
        if (index < 0 || index != header.lastIndexOf(name)) {
            throw malformed(
                    name, "stands " + (index < 0 ? "not at all" : "more than once") + " in the header " + header, null);
        }
        return index;
    }

    @Override
    public @Nullable BookEntry next() throws IOException {
        CsvRecord record = record();
        if (record == null) {
            long expected = layout.expectedEntries().orElse(entries);
            if (entries != expected) {
                throw malformed("", "the file has " + entries + " entries, and " + expected + " were expected", null);
            }
            return null;
        }
        entries++;
        if (record.getFieldCount() != header.size()) {
            int count = record.getFieldCount();
            String first = count < header.size() ? header.get(count) : "";
            throw malformed(
                    first,
                    "the line has " + count + " fields, and the header " + header.size() + ": is it cut off?",
                    null);
        }
        return entry(record);
    }

    private BookEntry entry(CsvRecord record) {
        try {
            return new BookEntry(
                    record.getField(key),
                    parsed(record, amount, layout.amounts()),
                    record.getField(currency),
                    parsed(record, time, layout.times()),
                    reference == NONE ? "" : record.getField(reference),
                    Claim.HAPPENED,
                    line);
        } catch (InvalidFieldException e) {
            throw malformed(columnOf(e.field()), String.valueOf(e.getMessage()), e);
        }
    }

    private String columnOf(String field) {
        return switch (field) {
            case "key" -> layout.key();
            case "amount" -> layout.amount();
            case "currency" -> layout.currency();
            default -> layout.reference().orElse(field);
        };
    }

    private <T> T parsed(CsvRecord record, int column, Function<String, T> parser) {
        String text = record.getField(column);
        try {
            return parser.apply(text);
        } catch (RuntimeException e) {
            throw malformed(
                    header.get(column), "\"" + BookEntry.printable(text) + "\" is refused: " + e.getMessage(), e);
        }
    }

    @Override
    public void skip(long count) throws IOException {
        for (long i = 0; i < count && record() != null; i++) {
            entries++;
        }
    }

    @Override
    public String fingerprint() throws IOException {
        return CsvBook.fingerprint(path);
    }

    @Override
    public void close() throws IOException {
        records.close();
    }

    private @Nullable CsvRecord record() throws IOException {
        try {
            if (!records.hasNext()) {
                return null;
            }
            CsvRecord record = records.next();
            line = record.getStartingLineNumber();
            for (int i = 0; i < record.getFieldCount(); i++) {
                String field = record.getField(i);
                if (field.indexOf('\n') >= 0 || field.indexOf('\r') >= 0) {
                    throw malformed(String.valueOf(i + 1), "has a line break in it: is there an unclosed quote?", null);
                }
            }
            return record;
        } catch (CsvParseException e) {
            line++;
            throw malformed("", "is no CSV: " + causes(e), e);
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof CharacterCodingException) {
                line++;
                throw malformed("", "there is something in this line or behind it that is not UTF-8", e);
            }
            throw e.getCause();
        }
    }

    private static String causes(Throwable e) {
        Throwable cause = e.getCause();
        return e.getMessage() + (cause == null ? "" : ": " + cause.getMessage());
    }

    private MalformedBookException malformed(String field, String problem, @Nullable Throwable cause) {
        return new MalformedBookException(path.toString(), line, field, problem, cause);
    }
}
