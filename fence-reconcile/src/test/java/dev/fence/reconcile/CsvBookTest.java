package dev.fence.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CsvBookTest {

    private static final String HEADER = "key,amount,currency,time,id\n";
    private static final String LINE = "k1,10.50,EUR,2026-11-29T02:30:00Z,tx1\n";
    static final CsvLayout LAYOUT =
            CsvLayout.of("key", "amount", "currency", "time").withReference("id");

    @TempDir
    Path folder;

    private Path file(String content) throws IOException {
        return Files.write(folder.resolve("statement.csv"), content.getBytes(StandardCharsets.UTF_8));
    }

    private List<BookEntry> read(String content, CsvLayout layout) throws IOException {
        List<BookEntry> entries = new ArrayList<>();
        try (BookReader reader = CsvBook.of(file(content), layout).open()) {
            for (BookEntry entry = reader.next(); entry != null; entry = reader.next()) {
                entries.add(entry);
            }
        }
        return entries;
    }

    private MalformedBookException refusal(String content, CsvLayout layout) {
        return Optional.ofNullable(catchThrowableOfType(MalformedBookException.class, () -> read(content, layout)))
                .orElseThrow(() -> new AssertionError("was read: " + content));
    }

    @Test
    void aLineIsAnEntry() throws IOException {
        assertThat(read(HEADER + LINE, LAYOUT))
                .containsExactly(new BookEntry(
                        "k1",
                        new BigDecimal("10.50"),
                        "EUR",
                        Instant.parse("2026-11-29T02:30:00Z"),
                        "tx1",
                        Claim.HAPPENED,
                        2));
    }

    @Test
    void quotesOtherColumnsAndAByteOrderMarkAreNoMatter() throws IOException {
        assertThat(read(
                        "\uFEFFnote,key,amount,currency,time\r\n\"a, \"\"b\"\"\",\"k,1\",-1,EUR,2026-11-29T02:30:00Z\r\n",
                        CsvLayout.of("key", "amount", "currency", "time")))
                .singleElement()
                .satisfies(entry -> assertThat(entry.key()).isEqualTo("k,1"));
    }

    @Test
    void aProvidersOwnWayOfWritingIsRead() throws IOException {
        CsvLayout german = CsvLayout.of("key", "amount", "currency", "time")
                .withSeparator(';')
                .withAmounts(text -> new BigDecimal(text.replace(".", "").replace(',', '.')))
                .withTimes(text -> LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC));
        assertThat(read("key;amount;currency;time\nk;1.234,56;EUR;2026-11-29\n", german))
                .containsExactly(new BookEntry(
                        "k",
                        new BigDecimal("1234.56"),
                        "EUR",
                        Instant.parse("2026-11-29T00:00:00Z"),
                        "",
                        Claim.HAPPENED,
                        2));
    }

    /** Each with the line and the field that the message must name. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "amount with an exponent   | k2,1E5,EUR,2026-11-29T02:30:00Z,x           | 3 | amount",
                "amount with grouping      | k2,\"1,000\",EUR,2026-11-29T02:30:00Z,x     | 3 | amount",
                "amount with a plus        | k2,+1,EUR,2026-11-29T02:30:00Z,x            | 3 | amount",
                "amount that ends in .     | k2,1.,EUR,2026-11-29T02:30:00Z,x            | 3 | amount",
                "amount that is empty      | k2,,EUR,2026-11-29T02:30:00Z,x              | 3 | amount",
                "amount not a number       | k2,NaN,EUR,2026-11-29T02:30:00Z,x           | 3 | amount",
                "amount of 19 decimals     | k2,0.1234567890123456789,EUR,2026-11-29T02:30:00Z,x | 3 | amount",
                "currency in lower case    | k2,1,eur,2026-11-29T02:30:00Z,x             | 3 | currency",
                "no key                    | ,1,EUR,2026-11-29T02:30:00Z,x               | 3 | key",
                "time without a zone       | k2,1,EUR,2026-11-29T02:30:00,x              | 3 | time",
                "line cut off              | k2,1,EUR                                    | 3 | time",
                "a field too many          | k2,1,EUR,2026-11-29T02:30:00Z,x,y           | 3 | ``",
                "an empty line             | ``                                          | 3 | amount",
                "text behind a quote       | k2,\"1\"0,EUR,2026-11-29T02:30:00Z,x        | 3 | ``",
                "a quote that is not closed| \"k2,1,EUR,2026-11-29T02:30:00Z,x           | 3 | 1",
            })
    void whatIsMalformedIsRefusedWithItsLineAndField(String what, String line, long at, String field) {
        MalformedBookException refusal = refusal(HEADER + LINE + line + "\n", LAYOUT);
        assertThat(refusal.line()).as(what + ": " + refusal.getMessage()).isEqualTo(at);
        assertThat(refusal.field()).as(what + ": " + refusal.getMessage()).isEqualTo(field);
        assertThat(refusal).hasMessageContaining("statement.csv").hasMessageContaining("line " + at);
    }

    @Test
    void aFileThatEndsInTheMiddleOfALineIsRefusedBeforeItIsRead() {
        // 10.50 became 10.5, which no field shows
        MalformedBookException refusal = refusal(HEADER + LINE + "k2,1,EUR,2026-11-29T02:30:00Z,tx", LAYOUT);
        assertThat(refusal).hasMessageContaining("cut off");
        assertThat(refusal.line()).isEqualTo(3);
    }

    @Test
    void aFileThatEndsBetweenTwoLinesIsRefusedIfTheNumberIsKnown() throws IOException {
        assertThat(read(HEADER + LINE, LAYOUT.withExpectedEntries(1))).hasSize(1);
        assertThat(refusal(HEADER + LINE, LAYOUT.withExpectedEntries(2)))
                .hasMessageContaining("1 entries, and 2 were expected");
    }

    @Test
    void aColumnThatIsMissingOrThereTwiceIsRefused() {
        assertThat(refusal("key,amount,currency,time\n", LAYOUT).field()).isEqualTo("id");
        assertThat(refusal("key,amount,amount,currency,time,id\n", LAYOUT))
                .hasMessageContaining("more than once")
                .hasMessageContaining("line 1");
        assertThat(refusal("", LAYOUT)).hasMessageContaining("empty");
    }

    @Test
    void whatIsNotUtf8IsRefusedAndNotReplaced() throws IOException {
        Path file = Files.write(
                folder.resolve("latin.csv"),
                (HEADER + "\u00fc,1,EUR,2026-11-29T02:30:00Z,x\n").getBytes(StandardCharsets.ISO_8859_1));
        assertThat(catchThrowableOfType(MalformedBookException.class, () -> {
                    try (BookReader reader = CsvBook.of(file, LAYOUT).open()) {
                        reader.next();
                    }
                }))
                .hasMessageContaining("UTF-8");
    }
}
