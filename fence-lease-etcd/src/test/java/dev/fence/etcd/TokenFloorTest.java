package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fence.FencingToken;
import org.junit.jupiter.api.Test;

class TokenFloorTest {

    @Test
    void aRaiseGoesOneStepAboveWhicheverIsHigher() {
        TokenFloor read = new TokenFloor(0, 700);
        assertThat(TokenFloor.STEP).isEqualTo(1_099_511_627_776L);
        assertThat(read.raisedAbove(new FencingToken(699))).isEqualTo(700 + TokenFloor.STEP);
        assertThat(read.raisedAbove(new FencingToken(12_900))).isEqualTo(12_900 + TokenFloor.STEP);
    }

    @Test
    void aFloorThatARestoreHasUndoneCountsIfItWasMet() {
        long undone = 3 * TokenFloor.STEP;
        assertThat(TokenFloor.of(0, undone, 700).raisedAbove(new FencingToken(1)))
                .isEqualTo(undone + 700 + TokenFloor.STEP);
        assertThat(TokenFloor.of(undone, 0, 700).reached()).isEqualTo(undone + 700);
    }

    @Test
    void theLastRoomIsGivenAndNothingWraps() {
        FencingToken last = new FencingToken(TokenFloor.HIGHEST);
        TokenFloor read = new TokenFloor(0, 1);
        assertThat(read.raisedAbove(last)).isEqualTo(Long.MAX_VALUE - TokenFloor.STEP);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read.raisedAbove(new FencingToken(TokenFloor.HIGHEST + 1)))
                .withMessageContaining(Long.toString(TokenFloor.HIGHEST + 1))
                .withMessageContaining(Long.toString(TokenFloor.HIGHEST));
        TokenFloor full = TokenFloor.of(Long.MAX_VALUE, 0, 700);
        assertThat(full.reached()).isEqualTo(Long.MAX_VALUE);
        assertThatIllegalArgumentException().isThrownBy(() -> full.raisedAbove(new FencingToken(1)));
    }

    @Test
    void impossibleNumbersAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new TokenFloor(-1, 5));
        assertThatIllegalArgumentException().isThrownBy(() -> new TokenFloor(0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new TokenFloor(6, 5));
    }
}
