package dev.fence.effects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.FenceException;
import dev.fence.Lease;
import dev.fence.LeaseTimeoutException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** C39: a claim stuck after a crash; a reconciler that races a live worker. */
class C39ClaimsIT {

    private final JournalDatabase db = new JournalDatabase();

    /** Thrown where the process would be gone. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1;
    }

    @Test
    void whatAKilledHolderHadMarkedSentIsLookedUpAndThenExecutedOnce() throws Exception {
        TestProvider provider = TestProvider.keyed();
        Lease killed = db.holder();
        Journal journal = new PostgresJournal(db.fence.seal(killed, "effects/" + killed.name()), "fence");
        db.effects.run(killed, provider, "other", TestProvider.payment("1 EUR"));
        journal.plan(
                TestProvider.EFFECT,
                true,
                null,
                List.of(new Journal.Plan(new EffectKey(TestProvider.EFFECT, "e1"), "100 EUR;ACME;1")),
                found -> {});
        journal.move(db.entry("e1"), new Journal.Step(EffectState.SENT, Journal.Evidence.CALL, ""));

        Lease successor = db.successor();
        BatchReport<String> report = db.effects.resume(successor, provider, Effects.Progress.NONE);
        assertThat(report.outcomes().get("e1")).isInstanceOf(Outcome.Done.class);
        assertThat(provider.lookups).hasSize(1);
        assertThat(provider.timesPaid("e1")).isEqualTo(1);
    }

    /** The successor finds it done while the first holder is paused in the call; what that one writes afterwards is refused. */
    @Test
    void aFormerHoldersLateAnswerIsRefused() throws Exception {
        TestProvider provider = TestProvider.unkeyed();
        Lease paused = db.holder();
        provider.then(key -> {
            Answer<String> paid = provider.pay(key);
            assertThat(db.effects.run(db.successor(), provider, "e1", TestProvider.payment("100 EUR")))
                    .isInstanceOf(Outcome.Done.class);
            return paid;
        });
        assertThatThrownBy(() -> db.effects.run(paused, provider, "e1", TestProvider.payment("100 EUR")))
                .isInstanceOf(FenceException.class);
        assertThat(provider.calls).hasSize(1);
        assertThat(db.desk.history(new EffectKey(TestProvider.EFFECT, "e1")))
                .extracting(EffectStep::evidence)
                .containsExactly("plan", "call", "lookup");
    }

    @Test
    void aHandlerThatFailsAfterTheCallLeavesItUnknownAndIsNotRunAgain() throws Exception {
        TestProvider provider = TestProvider.unkeyed();
        provider.then(key -> {
            provider.pay(key);
            throw new IllegalStateException("the receipt could not be stored");
        });
        Lease lease = db.holder();
        assertThat(db.effects.run(lease, provider, "e1", TestProvider.payment("100 EUR")))
                .as("found by the lookup")
                .isInstanceOf(Outcome.Done.class);
        assertThat(provider.calls).hasSize(1);
    }

    @Test
    void nobodyTouchesTheEffectsOfALiveHolderHoweverLongTheCallTakes() throws Exception {
        TestProvider provider = TestProvider.keyed();
        CountDownLatch calling = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        provider.then(key -> {
            calling.countDown();
            answer.await(10, TimeUnit.SECONDS);
            return provider.pay(key);
        });
        Lease live = db.holder();
        CompletableFuture<Outcome<String>> outcome = CompletableFuture.supplyAsync(() -> {
            try {
                return db.effects.run(live, provider, "e1", TestProvider.payment("100 EUR"));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        assertThat(calling.await(10, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(() -> db.process().acquire(JournalDatabase.LEASE, Duration.ofMillis(50)))
                .as("the reconciler of another node")
                .isInstanceOf(LeaseTimeoutException.class);
        assertThat(db.effects
                        .resume(live, provider, Effects.Progress.NONE)
                        .outcomes()
                        .get("e1"))
                .as("the reconciler of the same process")
                .isEqualTo(new Outcome.Unknown<String>("another thread is at it"));
        answer.countDown();
        assertThat(outcome.get(10, TimeUnit.SECONDS)).isInstanceOf(Outcome.Done.class);
        assertThat(provider.lookups).isEmpty();
        assertThat(provider.calls).hasSize(1);
    }

    @Test
    void nothingRemovesWhatIsNotOver() throws Exception {
        TestProvider provider = TestProvider.unkeyed().thenFinds(new Found.CannotTell<>(""));
        provider.then(key -> {
            throw new IOException("lost");
        });
        db.effects.run(db.holder(), provider, "e1", TestProvider.payment("100 EUR"));
        assertThatThrownBy(() -> {
                    try (Connection c = db.dataSource.getConnection();
                            Statement statement = c.createStatement()) {
                        statement.execute("DELETE FROM fence.effect WHERE planned_at < now() - interval '0 days'");
                    }
                })
                .hasMessageContaining("evidence");
        assertThat(db.entry("e1").state()).isEqualTo(EffectState.MANUAL);
    }

    @Test
    void anErrorOfTheChannelIsUnknownToo() throws Exception {
        TestProvider provider = TestProvider.unkeyed().then(key -> {
            throw new Killed();
        });
        assertThat(db.effects.run(db.holder(), provider, "e1", TestProvider.payment("100 EUR")))
                .isInstanceOf(Outcome.Manual.class);
    }
}
