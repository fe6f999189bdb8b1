package dev.fence.effects;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What an answer, a search and a key are worth. */
class ProviderTest {

    private static final Duration CALL = TestProvider.CALL_TIMEOUT;

    private final Provider<TestProvider.Payment, String> provider = new Provider<>(TestProvider.keyed(), Patience.REAL);

    /** A repeat may take as long as any call, and its key must be known when it arrives. */
    @Test
    void aKeyIsKnownIfACallThatBeginsNowStillMeetsIt() {
        Duration retention = TestProvider.keyed().traits().keyRetention().orElseThrow();

        assertThat(provider.stillKnowsTheKey(sent(retention.minus(CALL).minusMillis(1), Duration.ZERO, false)))
                .isTrue();
        assertThat(provider.stillKnowsTheKey(sent(retention.minus(CALL), Duration.ZERO, false)))
                .isFalse();
    }

    /** The last call may have been under way for as long as a call may take. */
    @Test
    void aSearchIsCompleteOnceEvenTheSlowestCallMustBeInTheBooks() {
        Duration after = TestProvider.keyed().traits().searchCompleteAfter().orElseThrow();

        assertThat(provider.searchIsComplete(sent(Duration.ZERO, after.plus(CALL), false)))
                .isFalse();
        assertThat(provider.searchIsComplete(
                        sent(Duration.ZERO, after.plus(CALL).plusMillis(1), false)))
                .isTrue();
    }

    @Test
    void anAnswerInDoubtSpeaksForEarlierAttemptsOnlyIfItRepeatsTheirs() {
        assertThat(meaning(new Answer.Refused<>("no", false), false)).isEqualTo(EffectState.REFUSED);
        assertThat(meaning(new Answer.Refused<>("no", false), true)).isEqualTo(EffectState.UNKNOWN);
        assertThat(meaning(new Answer.Refused<>("no", true), true)).isEqualTo(EffectState.REFUSED);
        assertThat(meaning(new Answer.NotExecuted<>("no"), false)).isEqualTo(EffectState.NOT_EXECUTED);
        assertThat(meaning(new Answer.NotExecuted<>("no"), true)).isEqualTo(EffectState.UNKNOWN);
    }

    private EffectState meaning(Answer<String> answer, boolean doubt) {
        return provider.stepFor(sent(Duration.ZERO, Duration.ZERO, doubt), answer)
                .to();
    }

    private static EffectEntry sent(Duration sinceFirst, Duration sinceLast, boolean doubt) {
        return new EffectEntry(
                new EffectKey(TestProvider.EFFECT, "inv-1"),
                JournalDatabase.LEASE,
                Optional.empty(),
                true,
                "100 EUR;ACME;1",
                EffectState.SENT,
                1,
                1,
                doubt,
                Optional.of(sinceFirst),
                Optional.of(sinceLast),
                Optional.empty(),
                Optional.empty(),
                false,
                "",
                Instant.EPOCH,
                Instant.EPOCH);
    }
}
