package dev.fence.effects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.FenceException;
import dev.fence.Lease;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** C35: a time-out taken for a failure; the charge loop. */
class C35TimeOutIsNotFailureIT {

    private final JournalDatabase db = new JournalDatabase();

    /** The caller gives up, the provider charges all the same: one charge, and it is known. */
    @Test
    void whatTheProviderDoesAfterWeGaveUpIsFoundAndNotRepeated() throws Exception {
        CountDownLatch gaveUp = new CountDownLatch(1);
        CountDownLatch charged = new CountDownLatch(1);
        TestProvider slow = TestProvider.keyed()
                .with(ChannelTraits.keyed(TestProvider.EFFECT, Duration.ofHours(24), Duration.ofSeconds(2)));
        slow.then(key -> {
            try {
                gaveUp.await(10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                gaveUp.countDown(); // this is how we are told that nobody listens any more
            }
            Answer<String> late = slow.pay(key);
            charged.countDown();
            return late;
        });
        slow.then(key -> {
            assertThat(charged.await(10, TimeUnit.SECONDS)).isTrue();
            return slow.pay(key);
        });
        Outcome<String> outcome = db.effects.run(db.holder(), slow, "inv-1", TestProvider.payment("200 USD"));
        assertThat(outcome).isInstanceOf(Outcome.Done.class);
        assertThat(slow.timesPaid("inv-1")).isEqualTo(1);
        assertThat(slow.calls).containsOnly(new EffectKey(TestProvider.EFFECT, "inv-1").text());
        assertThat(db.desk.history(new EffectKey(TestProvider.EFFECT, "inv-1")))
                .extracting(EffectStep::to)
                .contains(EffectState.UNKNOWN);
    }

    @Test
    void aProviderWithoutKeysIsCalledOnceAndAPersonDecides() throws Exception {
        TestProvider provider = TestProvider.unkeyed().thenFinds(new Found.CannotTell<>("no search"));
        provider.then(key -> {
            provider.pay(key);
            throw new IOException("read timed out");
        });
        Lease lease = db.holder();
        for (int i = 0; i < 5; i++) {
            assertThat(db.effects.run(lease, provider, "inv-1", TestProvider.payment("200 USD")))
                    .isInstanceOf(Outcome.Manual.class);
        }
        assertThat(provider.calls).hasSize(1);
    }

    @Test
    void aProviderWithoutKeysThatSearchesLateStaysUnknownUntilItsSearchIsComplete() throws Exception {
        TestProvider provider = TestProvider.unkeyed()
                .with(ChannelTraits.atMostOnce(TestProvider.EFFECT, Duration.ofSeconds(2))
                        .withSearchCompleteAfter(Duration.ofMinutes(1)));
        provider.then(key -> {
            throw new IOException("read timed out");
        });
        Lease lease = db.holder();
        assertThat(db.effects.run(lease, provider, "inv-1", TestProvider.payment("200 USD")))
                .isInstanceOf(Outcome.Unknown.class);
        db.age("last_sent_at", "2 minutes");
        assertThat(db.effects.run(lease, provider, "inv-1", TestProvider.payment("200 USD")))
                .isInstanceOf(Outcome.Manual.class);
        assertThat(provider.calls).hasSize(1);
    }

    @Test
    void whereTheAnswerCannotBeWrittenDownTheNextRunAsksAndDoesNotCall() throws Exception {
        TestProvider provider = TestProvider.unkeyed();
        provider.then(key -> {
            db.readOnly(true);
            return provider.pay(key);
        });
        Lease lease = db.holder();
        for (int i = 0; i < 20; i++) {
            assertThatThrownBy(() -> db.effects.run(lease, provider, "inv-1", TestProvider.payment("200 USD")))
                    .isInstanceOf(FenceException.class);
        }
        assertThat(provider.calls).hasSize(1);
        db.readOnly(false);
        assertThat(db.entry("inv-1").state()).isEqualTo(EffectState.SENT);
        assertThat(db.effects.run(lease, provider, "inv-1", TestProvider.payment("200 USD")))
                .isInstanceOf(Outcome.Done.class);
        assertThat(provider.calls).hasSize(1);
        assertThat(provider.lookups).hasSize(1);
    }

    @Test
    void whereTheIntentCannotBeWrittenDownNothingIsCalled() throws Exception {
        TestProvider provider = TestProvider.keyed();
        Lease lease = db.holder();
        db.readOnly(true);
        for (int i = 0; i < 20; i++) {
            assertThatThrownBy(() -> db.effects.run(lease, provider, "inv-1", TestProvider.payment("200 USD")))
                    .isInstanceOf(FenceException.class);
        }
        assertThat(provider.calls).isEmpty();
        db.readOnly(false);
        assertThat(db.effects.run(lease, provider, "inv-1", TestProvider.payment("200 USD")))
                .isInstanceOf(Outcome.Done.class);
    }

    @Test
    void attemptsAreCappedAndThenAPersonLooks() throws Exception {
        TestProvider provider = TestProvider.keyed()
                .with(ChannelTraits.keyed(TestProvider.EFFECT, Duration.ofHours(24), Duration.ofSeconds(2))
                        .withAttemptCap(4));
        for (int i = 0; i < 10; i++) {
            provider.then(key -> new Answer.Unknown<>("500"));
        }
        Lease lease = db.holder();
        assertThat(db.effects.run(lease, provider, "inv-1", TestProvider.payment("1 EUR")))
                .as("an outage does not use up all attempts in one run")
                .isInstanceOf(Outcome.Unknown.class);
        assertThat(db.effects.run(lease, provider, "inv-1", TestProvider.payment("1 EUR")))
                .isInstanceOf(Outcome.Manual.class);
        assertThat(db.effects.run(lease, provider, "inv-1", TestProvider.payment("1 EUR")))
                .isInstanceOf(Outcome.Manual.class);
        assertThat(provider.calls).hasSize(4).containsOnly(new EffectKey(TestProvider.EFFECT, "inv-1").text());
    }
}
