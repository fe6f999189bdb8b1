package dev.fence.effects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.BusyException;
import dev.fence.Lease;
import dev.fence.OutcomeUnknownException;
import dev.fence.effects.Journal.Evidence;
import dev.fence.effects.Journal.Step;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a run does when its journal is slow, busy, or does not say what became of a step. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class JournalFaultsIT {

    private final JournalDatabase db = new JournalDatabase();
    private final TestProvider provider = TestProvider.keyed();

    /** What happens to a step. */
    private interface Fault {
        EffectEntry move(Journal journal, EffectEntry entry, Step step);
    }

    private Outcome<String> run(Lease lease, Fault fault) throws InterruptedException {
        Effects effects = new Effects(
                db.fence::create,
                (l, resource) -> {
                    Journal real = new PostgresJournal(db.fence.seal(l, resource), "fence");
                    return new JournalInBetween(real) {
                        @Override
                        public EffectEntry move(EffectEntry entry, Step step) {
                            return fault.move(real, entry, step);
                        }
                    };
                },
                "fence",
                Patience.REAL);
        return effects.run(lease, provider, "inv-1", TestProvider.payment("100 EUR"));
    }

    @Test
    void aLeaseThatRunsShortWhileTheCallIsWrittenDownDoesNotCall() throws Exception {
        Lease lease = db.holder(); // good for 9.5 s
        Outcome<String> outcome = run(lease, (journal, entry, step) -> {
            EffectEntry moved = journal.move(entry, step);
            if (step.evidence() == Evidence.CALL) {
                db.time.advance(Duration.ofMillis(9_200));
            }
            return moved;
        });
        assertThat(outcome).isInstanceOf(Outcome.Planned.class);
        assertThat(provider.calls).isEmpty();
        assertThat(db.entry("inv-1").state()).isEqualTo(EffectState.PLANNED);
    }

    @Test
    void aJournalThatIsBusyForAMomentDoesNotTurnAnAnswerIntoAQuestion() throws Exception {
        AtomicInteger answers = new AtomicInteger();
        Outcome<String> outcome = run(db.holder(), (journal, entry, step) -> {
            if (step.evidence() == Evidence.ANSWER && answers.incrementAndGet() < 3) {
                throw new BusyException("busy", null);
            }
            return journal.move(entry, step);
        });
        assertThat(outcome).isInstanceOf(Outcome.Done.class);
        assertThat(provider.calls).hasSize(1);
        assertThat(provider.lookups).isEmpty();
    }

    @Test
    void aJournalThatStaysBusyLeavesItSentForTheNextRunToLookUp() throws Exception {
        Lease lease = db.holder();
        assertThatThrownBy(() -> run(lease, (journal, entry, step) -> {
                    if (step.evidence() == Evidence.ANSWER) {
                        throw new BusyException("busy", null);
                    }
                    return journal.move(entry, step);
                }))
                .isInstanceOf(BusyException.class);
        assertThat(db.entry("inv-1").state()).isEqualTo(EffectState.SENT);
        assertThat(db.effects.run(lease, provider, "inv-1", TestProvider.payment("100 EUR")))
                .isInstanceOf(Outcome.Done.class);
        assertThat(provider.calls).hasSize(1);
    }

    @Test
    void aStepThatWasTakenThoughNobodySaidSoIsSeen() throws Exception {
        Lease lease = db.holder();
        Outcome<String> outcome = run(lease, (journal, entry, step) -> {
            journal.move(entry, step);
            throw new OutcomeUnknownException("effects", lease.grant(), null);
        });
        assertThat(outcome).isInstanceOf(Outcome.Done.class);
        assertThat(provider.calls).hasSize(1);
    }

    @Test
    void aCallWhoseIntentMayNotBeWrittenDownDoesNotLeave() throws Exception {
        Lease lease = db.holder();
        assertThatThrownBy(() -> run(lease, (journal, entry, step) -> {
                    throw new OutcomeUnknownException("effects", lease.grant(), null);
                }))
                .isInstanceOf(OutcomeUnknownException.class);
        assertThat(provider.calls).isEmpty();
    }
}
