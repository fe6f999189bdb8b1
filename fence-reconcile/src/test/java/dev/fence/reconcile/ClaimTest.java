package dev.fence.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.reconcile.Finding.Side;
import java.math.BigDecimal;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What follows from what an entry claims. */
class ClaimTest {

    private static final BookEntry HAPPENED =
            BookEntry.of("key", BigDecimal.ONE, "EUR", Instant.parse("2026-11-29T10:00:00Z"));

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "HAPPENED")
    void aStatementThatDoesNotSayThatItHappenedIsRefused(Claim claim) {
        BookReader statement = reader(HAPPENED.withClaim(claim));

        assertThatThrownBy(() -> new Cursor(Side.STATEMENT, "bank", statement, KeyOrder.UTF8))
                .isInstanceOfSatisfying(
                        MalformedBookException.class, e -> assertThat(e.field()).isEqualTo("claim"));
    }

    @ParameterizedTest
    @EnumSource
    void onlyWhatIsInDoubtIsSettled(Claim claim) {
        Settlement.Collector collector = new Settlement.Collector("bank");
        collector.accept(new Finding.Matched(HAPPENED.withClaim(claim), HAPPENED));

        assertThat(collector.settlement(BookTotals.NONE).candidates())
                .hasSize(claim == Claim.MAY_HAVE_HAPPENED ? 1 : 0);
    }

    private static BookReader reader(BookEntry entry) {
        return new BookReader() {
            @Override
            public BookEntry next() {
                return entry;
            }

            @Override
            public void close() {}
        };
    }
}
