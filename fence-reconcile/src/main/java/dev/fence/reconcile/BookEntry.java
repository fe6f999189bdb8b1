package dev.fence.reconcile;

import java.math.BigDecimal;
import java.time.Instant;

/**
 * One entry of a book: what one side says about one payment.
 *
 * @param key what both sides know it by, such as the idempotency key: 1 to 255 characters, not blank, no control characters.
 *     Compared exactly; order is that of the UTF-8 bytes, as with {@code COLLATE "C"} and {@code LC_ALL=C sort}
 * @param amount exact: at most 38 digits, at most 18 of them behind the point
 * @param currency three upper-case letters
 * @param at when, by this book
 * @param reference what this side calls it, for people and as proof: up to 255 characters without control characters, or empty
 * @param claim what the book says about it
 * @param line where it stands in the book, from 1 on; 0 if it has no line
 */
public record BookEntry(
        String key, BigDecimal amount, String currency, Instant at, String reference, Claim claim, long line) {

    private static final int MAX_LENGTH = 255;
    private static final int MAX_DIGITS = 38;
    private static final int MAX_SCALE = 18;
    private static final int CURRENCY_LENGTH = 3;

    /** @throws IllegalArgumentException if a field breaks its rule; the message names it */
    public BookEntry {
        if (key.isBlank() || !isPlain(key)) {
            throw new InvalidFieldException(
                    "key",
                    "\"" + printable(key) + "\": 1 to " + MAX_LENGTH
                            + " characters are permitted, not blank, no control characters");
        }
        if (amount.precision() > MAX_DIGITS || Math.abs(amount.scale()) > MAX_SCALE) {
            throw new InvalidFieldException(
                    "amount",
                    "has " + amount.precision() + " digits and a scale of " + amount.scale() + ": at most " + MAX_DIGITS
                            + " digits, " + MAX_SCALE + " behind the point, are permitted");
        }
        if (!isCurrency(currency)) {
            throw new InvalidFieldException(
                    "currency", "\"" + printable(currency) + "\": three upper-case letters are permitted");
        }
        if (!isPlain(reference)) {
            throw new InvalidFieldException(
                    "reference",
                    "\"" + printable(reference) + "\": up to " + MAX_LENGTH
                            + " characters are permitted, no control characters");
        }
        if (line < 0) {
            throw new InvalidFieldException("line", line + " is negative");
        }
    }

    /** An entry that has happened, without a reference. */
    public static BookEntry of(String key, BigDecimal amount, String currency, Instant at) {
        return new BookEntry(key, amount, currency, at, "", Claim.HAPPENED, 0);
    }

    public BookEntry withReference(String reference) {
        return new BookEntry(key, amount, currency, at, reference, claim, line);
    }

    public BookEntry withClaim(Claim claim) {
        return new BookEntry(key, amount, currency, at, reference, claim, line);
    }

    BookEntry withLine(long line) {
        return new BookEntry(key, amount, currency, at, reference, claim, line);
    }

    private static boolean isPlain(String text) {
        if (text.length() > MAX_LENGTH) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isCurrency(String text) {
        if (text.length() != CURRENCY_LENGTH) {
            return false;
        }
        for (int i = 0; i < CURRENCY_LENGTH; i++) {
            if (text.charAt(i) < 'A' || text.charAt(i) > 'Z') {
                return false;
            }
        }
        return true;
    }

    /** What a message may show of a field that can be anything. */
    static String printable(String text) {
        String clean = text.replaceAll("\\p{Cntrl}", "?");
        return clean.length() <= MAX_LENGTH ? clean : clean.substring(0, MAX_LENGTH) + "...";
    }
}
