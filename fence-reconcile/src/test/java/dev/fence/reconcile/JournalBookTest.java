package dev.fence.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.effects.EffectState;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JournalBookTest {

    /** An earlier call in doubt can still take effect, whatever the state is called. */
    @ParameterizedTest
    @CsvSource({
        "PLANNED,      DID_NOT_HAPPEN,    MAY_HAVE_HAPPENED",
        "NOT_EXECUTED, DID_NOT_HAPPEN,    MAY_HAVE_HAPPENED",
        "REFUSED,      DID_NOT_HAPPEN,    DID_NOT_HAPPEN",
        "SENT,         MAY_HAVE_HAPPENED, MAY_HAVE_HAPPENED",
        "UNKNOWN,      MAY_HAVE_HAPPENED, MAY_HAVE_HAPPENED",
        "MANUAL,       MAY_HAVE_HAPPENED, MAY_HAVE_HAPPENED",
        "DONE,         HAPPENED,          HAPPENED"
    })
    void aStateClaimsWhatMayBeTrueOfIt(EffectState state, Claim claim, Claim claimInDoubt) {
        assertThat(JournalBook.claim(state, false)).isEqualTo(claim);
        assertThat(JournalBook.claim(state, true)).isEqualTo(claimInDoubt);
    }
}
