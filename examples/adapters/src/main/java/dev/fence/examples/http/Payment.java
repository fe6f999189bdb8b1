package dev.fence.examples.http;

import dev.fence.effects.Codec;
import java.math.BigDecimal;

/**
 * A payment.
 *
 * @param account who gets it: letters and digits
 * @param amount exact
 * @param currency three upper-case letters
 */
public record Payment(String account, BigDecimal amount, String currency) {

    static final Codec<Payment> CODEC = Codec.of(Payment::line, Payment::parse);

    /** @throws IllegalArgumentException if the account is none */
    public Payment {
        if (!account.matches("[A-Za-z0-9]{1,34}")) {
            throw new IllegalArgumentException("account \"" + account + "\": 1 to 34 letters and digits are permitted");
        }
    }

    /** As it goes to the gateway. */
    public String line() {
        return account + " " + amount.toPlainString() + " " + currency;
    }

    public static Payment parse(String line) {
        String[] parts = line.split(" ", -1);
        return new Payment(parts[0], new BigDecimal(parts[1]), parts[2]);
    }
}
