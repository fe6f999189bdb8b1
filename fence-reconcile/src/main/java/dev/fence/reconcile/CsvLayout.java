package dev.fence.reconcile;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Which columns of a CSV file say what. The first line names the columns; more columns than these are no matter.
 *
 * @param key the column of the key
 * @param amount the column of the amount
 * @param currency the column of the currency
 * @param time the column of the time
 * @param reference the column of the reference; empty: there is none
 * @param separator between two fields
 * @param amounts reads an amount; what it throws is reported with line and field
 * @param times reads a time, likewise
 * @param sorted whether the file is in the order of the keys' UTF-8 bytes ({@code LC_ALL=C sort})
 * @param expectedEntries how many the provider says there are, from a trailer or another channel: the only way to see that a file
 *     was cut off between two lines; empty: it did not say
 */
public record CsvLayout(
        String key,
        String amount,
        String currency,
        String time,
        Optional<String> reference,
        char separator,
        Function<String, BigDecimal> amounts,
        Function<String, Instant> times,
        boolean sorted,
        OptionalLong expectedEntries) {

    private static final int MAX_AMOUNT_LENGTH = 60;

    /** Commas, amounts as {@code -1234.56}, times as {@code 2026-11-29T02:30:00Z}, not sorted. */
    public static CsvLayout of(String key, String amount, String currency, String time) {
        return new CsvLayout(
                key,
                amount,
                currency,
                time,
                Optional.empty(),
                ',',
                CsvLayout::plainAmount,
                CsvLayout::instant,
                false,
                OptionalLong.empty());
    }

    public CsvLayout withReference(String column) {
        return new CsvLayout(
                key, amount, currency, time, Optional.of(column), separator, amounts, times, sorted, expectedEntries);
    }

    public CsvLayout withSeparator(char separator) {
        return new CsvLayout(
                key, amount, currency, time, reference, separator, amounts, times, sorted, expectedEntries);
    }

    public CsvLayout withAmounts(Function<String, BigDecimal> amounts) {
        return new CsvLayout(
                key, amount, currency, time, reference, separator, amounts, times, sorted, expectedEntries);
    }

    public CsvLayout withTimes(Function<String, Instant> times) {
        return new CsvLayout(
                key, amount, currency, time, reference, separator, amounts, times, sorted, expectedEntries);
    }

    public CsvLayout inOrderOfKeys() {
        return new CsvLayout(key, amount, currency, time, reference, separator, amounts, times, true, expectedEntries);
    }

    public CsvLayout withExpectedEntries(long expectedEntries) {
        return new CsvLayout(
                key,
                amount,
                currency,
                time,
                reference,
                separator,
                amounts,
                times,
                sorted,
                OptionalLong.of(expectedEntries));
    }

    /** No exponents, no signs but a minus, no grouping: "1,234" is a thousand to one and about one to another. */
    private static BigDecimal plainAmount(String text) {
        boolean digits = false;
        int points = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean digit = c >= '0' && c <= '9';
            digits |= digit;
            points += c == '.' ? 1 : 0;
            if (!digit && !(c == '.' && digits) && !(c == '-' && i == 0)) {
                throw notPlain();
            }
        }
        if (!digits || points > 1 || text.endsWith(".") || text.length() > MAX_AMOUNT_LENGTH) {
            throw notPlain();
        }
        return new BigDecimal(text);
    }

    private static IllegalArgumentException notPlain() {
        return new IllegalArgumentException("only amounts such as 1234.56 and -1234.56 are permitted");
    }

    private static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("only times such as 2026-11-29T02:30:00Z are permitted", e);
        }
    }
}
