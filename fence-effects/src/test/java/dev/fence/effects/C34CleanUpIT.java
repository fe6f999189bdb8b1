package dev.fence.effects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.Lease;
import dev.fence.LeaseLostException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** C34: clean-up after a believed failure. */
class C34CleanUpIT {

    private final JournalDatabase db = new JournalDatabase();

    /** Whoever cleans up behind Refused alone, as the type invites, does not clean up here. */
    @Test
    void aLostReplyIsNotARefusal() throws Exception {
        TestProvider provider = TestProvider.unkeyed().thenFinds(new Found.CannotTell<>("search is down"));
        provider.then(key -> {
            provider.pay(key);
            throw new IOException("connection reset");
        });
        Outcome<String> outcome = db.effects.run(db.holder(), provider, "inv-1", TestProvider.payment("100 EUR"));
        assertThat(outcome).isNotInstanceOf(Outcome.Refused.class).isInstanceOf(Outcome.Manual.class);
        assertThat(provider.timesPaid("inv-1")).isEqualTo(1);
    }

    @Test
    void aRefusalForSureIsOne() throws Exception {
        TestProvider provider = TestProvider.keyed().then(key -> new Answer.Refused<>("unknown account", false));
        Lease lease = db.holder();
        assertThat(db.effects.run(lease, provider, "inv-1", TestProvider.payment("100 EUR")))
                .isEqualTo(new Outcome.Refused<String>("unknown account"));
        assertThat(db.effects.run(lease, provider, "inv-1", TestProvider.payment("100 EUR")))
                .isInstanceOf(Outcome.Refused.class);
        assertThat(provider.calls).hasSize(1);
    }

    /** A refusal of the second call does not say that the first one failed. */
    @Test
    void aRefusedRepeatDoesNotHideThatTheFirstCallPaid() throws Exception {
        TestProvider provider = TestProvider.keyed();
        provider.then(key -> {
                    provider.pay(key);
                    throw new IOException("connection reset");
                })
                .thenFinds(new Found.CannotTell<>("search is down"))
                .then(key -> new Answer.Refused<>("401", false));
        assertThat(db.effects.run(db.holder(), provider, "inv-1", TestProvider.payment("100 EUR")))
                .isInstanceOf(Outcome.Done.class);
        assertThat(provider.timesPaid("inv-1")).isEqualTo(1);
        assertThat(db.desk.history(new EffectKey(TestProvider.EFFECT, "inv-1")))
                .extracting(EffectStep::to)
                .doesNotContain(EffectState.REFUSED);
    }

    @Test
    void theLeaseThatIsLostAfterTheAnswerWasWrittenDownChangesNothing() throws Exception {
        TestProvider provider = TestProvider.keyed();
        Lease lease = db.holder();
        db.effects.run(lease, provider, "inv-1", TestProvider.payment("100 EUR"));
        Lease successor = db.successor();
        assertThatThrownBy(() -> db.effects.run(lease, provider, "inv-2", TestProvider.payment("100 EUR")))
                .isInstanceOf(LeaseLostException.class);
        assertThat(db.effects.run(successor, provider, "inv-1", TestProvider.payment("100 EUR")))
                .isInstanceOf(Outcome.Done.class);
        assertThat(provider.calls).hasSize(1);
    }
}
