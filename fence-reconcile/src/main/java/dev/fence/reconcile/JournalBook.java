package dev.fence.reconcile;

import dev.fence.effects.EffectChannel;
import dev.fence.effects.EffectState;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * The journal of one effect, all its entries, by the key that went to the provider. What is done has happened; what is planned,
 * refused or not executed has not, unless an earlier call is in doubt; the rest may have. The reference of an entry is its business
 * key, its time that of its last change by the database's clock.
 */
public final class JournalBook implements Book {

    private final JdbcBook rows;

    /**
     * What an effect is about.
     *
     * @param amount exact
     * @param currency three upper-case letters
     */
    public record Money(BigDecimal amount, String currency) {}

    private JournalBook(JdbcBook rows) {
        this.rows = rows;
    }

    /** The journal in schema {@code fence}; {@code money} says what a request is about. */
    public static <Q> JournalBook of(DataSource dataSource, EffectChannel<Q, ?> channel, Function<Q, Money> money) {
        return of(dataSource, "fence", channel, money);
    }

    /** The same in another schema, the one of {@code JdbcSettings}. */
    public static <Q> JournalBook of(
            DataSource dataSource, String schema, EffectChannel<Q, ?> channel, Function<Q, Money> money) {
        if (!schema.matches("[a-z_][a-z0-9_]{0,62}")) {
            throw new IllegalArgumentException(
                    "schema \"" + schema + "\" is malformed: it must match [a-z_][a-z0-9_]{0,62}");
        }
        String effect = channel.traits().effect();
        return new JournalBook(JdbcBook.of(
                        "journal of " + effect,
                        dataSource,
                        "SELECT key, business_key, state, doubt, request, changed_at FROM " + schema
                                + ".effect WHERE effect = ? ORDER BY key",
                        true,
                        row -> entry(row, channel, money))
                .withParameters(List.of(effect)));
    }

    private static <Q> BookEntry entry(ResultSet row, EffectChannel<Q, ?> channel, Function<Q, Money> money)
            throws SQLException {
        Money sum = money.apply(channel.requests().read(row.getString("request")));
        EffectState state = EffectState.valueOf(row.getString("state").toUpperCase(Locale.ROOT));
        return new BookEntry(
                row.getString("key"),
                sum.amount(),
                sum.currency(),
                row.getObject("changed_at", OffsetDateTime.class).toInstant(),
                row.getString("business_key"),
                claim(state, row.getBoolean("doubt")),
                0);
    }

    static Claim claim(EffectState state, boolean doubt) {
        return switch (state) {
            case DONE -> Claim.HAPPENED;
            case SENT, UNKNOWN, MANUAL -> Claim.MAY_HAVE_HAPPENED;
            // planned again, while an earlier call may still take effect
            case PLANNED, NOT_EXECUTED -> doubt ? Claim.MAY_HAVE_HAPPENED : Claim.DID_NOT_HAPPEN;
            case REFUSED -> Claim.DID_NOT_HAPPEN;
        };
    }

    @Override
    public String name() {
        return rows.name();
    }

    @Override
    public boolean sorted() {
        return rows.sorted();
    }

    @Override
    public BookReader open() throws IOException {
        return rows.open();
    }
}
