package dev.fence.effects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.Lease;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** C50: the operator's retry wipes the evidence. */
class C50OperatorIT {

    private final JournalDatabase db = new JournalDatabase();
    private final TestProvider provider =
            TestProvider.unkeyed().with(ChannelTraits.atMostOnce(TestProvider.EFFECT, Duration.ofSeconds(2)));
    private final EffectKey key = new EffectKey(TestProvider.EFFECT, "w-1");

    private Lease withOneThatOnlyAPersonCanDecide() throws Exception {
        provider.thenFinds(new Found.CannotTell<>("")).then(k -> {
            throw new IOException("lost");
        });
        Lease lease = db.holder();
        db.effects.run(lease, provider, "w-1", TestProvider.payment("100 EUR"));
        return lease;
    }

    @Test
    void theListShowsStateAttemptsKeyAndWhatTheLastLookupSaid() throws Exception {
        withOneThatOnlyAPersonCanDecide();
        EffectEntry entry = db.desk
                .list(Set.of(EffectState.UNKNOWN, EffectState.MANUAL), 10)
                .get(0);
        assertThat(entry.key()).isEqualTo(key);
        assertThat(entry.state()).isEqualTo(EffectState.MANUAL);
        assertThat(entry.attempts()).isEqualTo(1);
        assertThat(entry.detail()).contains("no keys");
    }

    @Test
    void aDecisionThatItDidNotHappenIsAppendedAndTheNextRunUsesTheSameKey() throws Exception {
        Lease lease = withOneThatOnlyAPersonCanDecide();
        EffectEntry decided = db.desk.resolve(db.entry("w-1"), Decision.didNotHappen("alice", "bank confirmed"));
        assertThat(decided.state()).isEqualTo(EffectState.NOT_EXECUTED);
        assertThat(db.effects.run(lease, provider, "w-1", TestProvider.payment("100 EUR")))
                .isInstanceOf(Outcome.Done.class);
        assertThat(provider.calls).containsExactly(key.text(), key.text());
        List<EffectStep> history = db.desk.history(key);
        assertThat(history)
                .extracting(EffectStep::to)
                .containsExactly(
                        EffectState.PLANNED,
                        EffectState.SENT,
                        EffectState.UNKNOWN,
                        EffectState.MANUAL,
                        EffectState.NOT_EXECUTED,
                        EffectState.PLANNED,
                        EffectState.SENT,
                        EffectState.DONE);
        assertThat(history.get(4).operator()).contains("alice");
        assertThat(history.get(4).reason()).contains("bank confirmed");
    }

    @Test
    void aDecisionThatItHappenedIsDoneWithItsProofAndNothingIsCalled() throws Exception {
        Lease lease = withOneThatOnlyAPersonCanDecide();
        db.desk.resolve(db.entry("w-1"), Decision.happened("alice", "seen in the statement", "tx9"));
        assertThat(db.effects.run(lease, provider, "w-1", TestProvider.payment("100 EUR")))
                .isEqualTo(new Outcome.Done<String>(Optional.empty(), "tx9", false));
        assertThat(provider.calls).hasSize(1);
    }

    @Test
    void whatIsDoneOrMayBeUnderWayIsNotForAPerson() throws Exception {
        Lease lease = db.holder();
        db.effects.run(lease, provider, "w-1", TestProvider.payment("100 EUR"));
        assertThatThrownBy(() -> db.desk.resolve(db.entry("w-1"), Decision.didNotHappen("alice", "retry")))
                .isInstanceOf(DecisionRefusedException.class)
                .hasMessageContaining("done")
                .hasMessageContaining("looked up");
        assertThat(db.desk.history(key)).hasSize(3);
    }

    @Test
    void ofTwoOperatorsWhoDecideAtOnceOneIsTold() throws Exception {
        withOneThatOnlyAPersonCanDecide();
        EffectEntry seen = db.entry("w-1");
        ExecutorService operators = Executors.newFixedThreadPool(2);
        try {
            List<Callable<String>> decisions = List.of(
                    () -> decide(seen, Decision.happened("alice", "statement", "tx9")),
                    () -> decide(seen, Decision.didNotHappen("bob", "bank said so")));
            List<String> said = new ArrayList<>();
            for (Future<String> each : operators.invokeAll(decisions)) {
                said.add(each.get());
            }
            assertThat(said).containsExactlyInAnyOrder("decided", "refused");
        } finally {
            operators.shutdownNow();
        }
        assertThat(db.desk.history(key))
                .filteredOn(step -> step.operator().isPresent())
                .hasSize(1);
    }

    private String decide(EffectEntry seen, Decision decision) throws Exception {
        try {
            db.desk.resolve(seen, decision);
            return "decided";
        } catch (DecisionRefusedException e) {
            return "refused";
        }
    }

    @Test
    void aDecisionWithoutNameReasonOrProofIsRefused() {
        assertThatThrownBy(() -> Decision.didNotHappen("", "x")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Decision.didNotHappen("alice", " ")).hasMessageContaining("reason");
        assertThatThrownBy(() -> Decision.happened("alice", "seen", "")).hasMessageContaining("reference");
        assertThatThrownBy(() -> db.desk.list(Set.of(), 10)).hasMessageContaining("at least one state");
    }

    /** A person's word counts also where the holder was about to look. */
    @Test
    void aDecisionWhileTheHolderLooksCounts() throws Exception {
        Lease lease = withOneThatOnlyAPersonCanDecide();
        db.sql(
                "ALTER TABLE fence.effect DISABLE TRIGGER protect_row",
                "UPDATE fence.effect SET state = 'unknown'",
                "ALTER TABLE fence.effect ENABLE ALWAYS TRIGGER protect_row");
        TestProvider deciding = provider.with(provider.traits());
        deciding.thenFinds(new Found.Nothing<>());
        EffectEntry seen = db.entry("w-1");
        db.desk.resolve(seen, Decision.happened("alice", "seen", "tx9"));
        assertThat(new Execution<>(
                                new PostgresJournal(db.fence.seal(lease, "effects/" + lease.name()), "fence"),
                                new Provider<>(deciding, Patience.REAL),
                                new LeaseBudget(lease, Patience.REAL),
                                Patience.REAL)
                        .drive(seen))
                .isInstanceOf(Outcome.Done.class);
    }
}
