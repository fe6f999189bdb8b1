package dev.fence.effects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.Lease;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** C37: the provider answers 409, or has forgotten the key. */
class C37ProviderAnswersIT {

    private final JournalDatabase db = new JournalDatabase();
    private final TestProvider provider = TestProvider.keyed();

    private Outcome<String> run(Lease lease) throws InterruptedException {
        return db.effects.run(lease, provider, "inv-1", TestProvider.payment("100 EUR"));
    }

    @Test
    void aConflictIsLookedUpAndNeverAFailure() throws Exception {
        provider.then(key -> {
                    provider.pay(key);
                    throw new IOException("reply lost");
                })
                .thenFinds(new Found.CannotTell<>("search is down"))
                .then(key -> new Answer.Conflict<>("409 key conflict"));
        assertThat(run(db.holder())).isInstanceOf(Outcome.Done.class);
        assertThat(provider.timesPaid("inv-1")).isEqualTo(1);
        assertThat(db.entry("inv-1").state()).isEqualTo(EffectState.DONE);
    }

    @Test
    void inProgressIsWaitedForUnderTheSameKey() throws Exception {
        for (int i = 0; i < 3; i++) {
            provider.then(key -> new Answer.InProgress<>("409 in progress")).thenFinds(new Found.Nothing<>());
        }
        Lease lease = db.holder();
        assertThat(run(lease)).isInstanceOf(Outcome.Unknown.class);
        assertThat(run(lease)).isInstanceOf(Outcome.Done.class);
        assertThat(provider.calls).hasSize(4).containsOnly(new EffectKey(TestProvider.EFFECT, "inv-1").text());
    }

    @Test
    void replaysAreVisible() throws Exception {
        provider.then(key -> {
                    provider.pay(key);
                    throw new IOException("reply lost");
                })
                .thenFinds(new Found.CannotTell<>("search is down"));
        assertThat(run(db.holder())).isEqualTo(new Outcome.Done<>(Optional.of("receipt of inv-1"), "tx-inv-1", true));
        assertThat(db.entry("inv-1").replayed()).isTrue();
    }

    @Test
    void anUnknownOneThatIsOlderThanTheProvidersMemoryIsNotRepeated() throws Exception {
        provider.then(key -> new Answer.Unknown<>("500"))
                .then(key -> new Answer.Unknown<>("500"))
                .then(key -> new Answer.Unknown<>("500"));
        Lease lease = db.holder();
        assertThat(run(lease)).isInstanceOf(Outcome.Unknown.class);
        db.age("first_sent_at", "25 hours");
        assertThat(run(lease)).isInstanceOf(Outcome.Manual.class);
        assertThat(provider.calls).hasSize(3);
    }

    @Test
    void whatTheChannelDoesNotMapIsUnknown() throws Exception {
        TestProvider unkeyed = TestProvider.unkeyed();
        unkeyed.then(key -> {
            throw new IllegalStateException("no mapping for 418");
        });
        assertThat(db.effects.run(db.holder(), unkeyed, "inv-1", TestProvider.payment("100 EUR")))
                .isInstanceOf(Outcome.Manual.class);
        assertThat(db.desk.history(new EffectKey(TestProvider.EFFECT, "inv-1")))
                .extracting(EffectStep::to)
                .containsExactly(EffectState.PLANNED, EffectState.SENT, EffectState.UNKNOWN, EffectState.MANUAL);
        assertThat(unkeyed.calls).hasSize(1);
    }

    @Test
    void whatSurelyDidNotHappenIsTriedAgain() throws Exception {
        TestProvider unkeyed = TestProvider.unkeyed().then(key -> new Answer.NotExecuted<>("connection refused"));
        assertThat(db.effects.run(db.holder(), unkeyed, "inv-1", TestProvider.payment("100 EUR")))
                .isInstanceOf(Outcome.Done.class);
        assertThat(unkeyed.timesPaid("inv-1")).isEqualTo(1);
    }
}
