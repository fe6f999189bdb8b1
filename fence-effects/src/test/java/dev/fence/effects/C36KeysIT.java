package dev.fence.effects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.Lease;
import dev.fence.effects.TestProvider.Payment;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** C36: what the idempotency key is made of. */
class C36KeysIT {

    private final JournalDatabase db = new JournalDatabase();
    private final TestProvider provider = TestProvider.keyed();

    @Test
    void retriesGoUnderOneKeyWhateverChangesFromTryToTry() throws Exception {
        provider.then(key -> {
                    throw new IOException("lost");
                })
                .then(key -> {
                    throw new IOException("lost");
                });
        Lease lease = db.holder();
        assertThat(db.effects.run(lease, provider, "inv-7", new Payment("100 EUR", "ACME", 1)))
                .isInstanceOf(Outcome.Done.class);
        assertThat(db.effects.run(lease, provider, "inv-7", new Payment("100 EUR", "ACME", 2)))
                .isInstanceOf(Outcome.Done.class);
        assertThat(provider.calls).hasSize(3).containsOnly(new EffectKey(TestProvider.EFFECT, "inv-7").text());
    }

    @Test
    void theSuccessorUsesTheSameKey() throws Exception {
        provider.then(key -> {
                    throw new IOException("lost");
                })
                .then(key -> new Answer.Unknown<>("500"))
                .then(key -> new Answer.Unknown<>("500"));
        db.effects.run(db.holder(), provider, "inv-7", TestProvider.payment("100 EUR"));
        assertThat(db.effects.run(db.successor(), provider, "inv-7", TestProvider.payment("100 EUR")))
                .isInstanceOf(Outcome.Done.class);
        assertThat(provider.calls).hasSize(4).containsOnly(new EffectKey(TestProvider.EFFECT, "inv-7").text());
    }

    @Test
    void anotherPayloadUnderTheSameKeyIsRefusedNamingTheFieldAndNotItsValue() throws Exception {
        Lease lease = db.holder();
        db.effects.run(lease, provider, "inv-7", TestProvider.payment("100 EUR"));
        assertThatThrownBy(() -> db.effects.run(lease, provider, "inv-7", TestProvider.payment("120 EUR")))
                .isInstanceOfSatisfying(
                        PayloadMismatchException.class,
                        e -> assertThat(e.fields()).containsExactly("amount"))
                .hasMessageNotContaining("120")
                .hasMessageNotContaining("100 EUR");
        assertThat(provider.calls).hasSize(1);
    }

    @Test
    void aDeliberateSecondPaymentHasAnotherBusinessKey() throws Exception {
        Lease lease = db.holder();
        db.effects.run(lease, provider, "inv-7", TestProvider.payment("100 EUR"));
        db.effects.run(lease, provider, "inv-7#2", TestProvider.payment("100 EUR"));
        assertThat(provider.calls).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void oneKeyIsInOneJournalOnly() throws Exception {
        db.effects.run(db.holder(), provider, "inv-7", TestProvider.payment("100 EUR"));
        Lease other = db.process().acquire("payouts/US", Duration.ofSeconds(1));
        db.effects.create(other);
        assertThatThrownBy(() -> db.effects.run(other, provider, "inv-7", TestProvider.payment("100 EUR")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("payouts/EU")
                .hasMessageContaining("payouts/US");
        assertThat(provider.calls).hasSize(1);
    }

    @Test
    void aRequestThatDoesNotFitIsRefusedBeforeAnything() throws Exception {
        Lease lease = db.holder();
        assertThatThrownBy(() -> db.effects.run(
                        lease, provider, "inv-7", TestProvider.payment("x".repeat(Journal.MAX_TEXT_LENGTH))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 65536");
        assertThatThrownBy(() -> db.effects.run(lease, provider, " ", TestProvider.payment("1")))
                .hasMessageContaining("business key");
        assertThat(db.desk.show(new EffectKey(TestProvider.EFFECT, "inv-7"))).isEmpty();
    }
}
