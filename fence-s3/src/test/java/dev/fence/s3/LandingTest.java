package dev.fence.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.FencingToken;
import dev.fence.Grant;
import dev.fence.WriteOutcome;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LandingTest {

    private static final Stamp.Content NOTHING = new Stamp.Content.Tombstone();
    private static final UUID MINE = id(1000);

    /** A slot that was sealed anew at sequence 10 and written up to 12. */
    private static final Stamp NOW =
            written(first(), 8).sealedBy(grant(2), id(10)).next(id(11), NOTHING).next(id(12), NOTHING);

    @Test
    void theNewestAndTheListedWritesOfThePresentHolderAreApplied() {
        assertThat(Landing.of(NOW, id(12), 12)).isEqualTo(Landing.APPLIED);
        assertThat(Landing.of(NOW, id(11), 11)).isEqualTo(Landing.APPLIED);
        assertThat(Landing.of(NOW, id(10), 10)).isEqualTo(Landing.APPLIED);
    }

    @Test
    void whatLandedBeforeThePresentHoldersSealIsSuperseded() {
        assertThat(Landing.of(NOW, id(9), 9)).isEqualTo(Landing.SUPERSEDED);
        assertThat(Landing.of(NOW, id(1), 1)).isEqualTo(Landing.SUPERSEDED);
    }

    @Test
    void aWriteWhosePlaceIsTakenIsRefused() {
        assertThat(Landing.of(NOW, MINE, 12)).isEqualTo(Landing.REFUSED);
        assertThat(Landing.of(NOW, MINE, 10)).isEqualTo(Landing.REFUSED);
        assertThat(Landing.of(NOW, MINE, 5)).isEqualTo(Landing.REFUSED);
    }

    @Test
    void aWriteWhosePlaceIsFreeMayStillLand() {
        assertThat(Landing.of(NOW, MINE, 13)).isEqualTo(Landing.OPEN);
        assertThat(Landing.OPEN.outcome()).isEqualTo(WriteOutcome.UNKNOWN);
    }

    @Test
    void aSlotThatIsBehindWhatWeSawTellsNothing() {
        assertThat(Landing.of(NOW, MINE, 14)).isEqualTo(Landing.UNKNOWN);
    }

    @Test
    void whatTheListHasForgottenIsUnknownUnlessTheSealRemembersIt() {
        Stamp later = written(NOW, 30);

        assertThat(Landing.of(later, id(9), 9)).isEqualTo(Landing.SUPERSEDED);
        assertThat(Landing.of(later, MINE, 9)).isEqualTo(Landing.REFUSED);
        assertThat(Landing.of(later, MINE, 10)).isEqualTo(Landing.REFUSED);
        assertThat(Landing.of(later, MINE, 8)).isEqualTo(Landing.UNKNOWN);
        assertThat(Landing.of(later, MINE, 11)).isEqualTo(Landing.UNKNOWN);
    }

    @Test
    void aWriteThatMayLandAnywhereFromAPlaceOnIsRefusedOnlyOnceANewerHolderHasSealed() {
        assertThat(from(9).landing(NOW)).isEqualTo(Landing.REFUSED);
        assertThat(from(10).landing(NOW)).isEqualTo(Landing.REFUSED);
        assertThat(from(11).landing(NOW)).as("tried under the present grant").isEqualTo(Landing.UNKNOWN);
        Stamp later = written(NOW, 30);
        assertThat(from(9).landing(later)).isEqualTo(Landing.REFUSED);
        assertThat(from(8).landing(later))
                .as("it may have landed at 8, which is forgotten")
                .isEqualTo(Landing.UNKNOWN);
    }

    @Test
    void theTextOfAWriteIdHasOneSpelling() {
        WriteIds at = new WriteIds(id(7), true, 42);

        assertThat(at.text().text()).isEqualTo("s3-1:00000000-0000-0000-0000-000000000007:at:42");
        assertThat(from(1).text().text()).isEqualTo("s3-1:" + MINE + ":from:1");
        assertThat(WriteIds.parse(at.text())).isEqualTo(at);
    }

    private static WriteIds from(long sequence) {
        return new WriteIds(MINE, false, sequence);
    }

    private static Stamp first() {
        return Stamp.first(grant(1), id(1), NOTHING);
    }

    private static Stamp written(Stamp stamp, int times) {
        Stamp now = stamp;
        for (int i = 0; i < times; i++) {
            now = now.next(id(now.sequence() + 1), NOTHING);
        }
        return now;
    }

    private static Grant grant(long token) {
        return new Grant("test", "exports/EU", new FencingToken(token), new UUID(0, token));
    }

    private static UUID id(long n) {
        return new UUID(0, n);
    }
}
