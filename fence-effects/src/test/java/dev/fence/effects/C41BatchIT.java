package dev.fence.effects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.Lease;
import dev.fence.LeaseLostException;
import dev.fence.effects.TestProvider.Payment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** C41: a batch of payouts run twice or resumed halfway. {@link C41TwoNodesIT} has the part with real processes. */
class C41BatchIT {

    private final JournalDatabase db = new JournalDatabase();
    private final TestProvider provider = TestProvider.keyed();

    private static Map<String, Payment> items(int n) {
        Map<String, Payment> items = new LinkedHashMap<>();
        for (int i = 0; i < n; i++) {
            items.put("item-" + i, TestProvider.payment(i + " EUR"));
        }
        return items;
    }

    @Test
    void theSameRunAgainCallsNothingAndReportsAllDone() throws Exception {
        List<Totals> progress = new ArrayList<>();
        Lease lease = db.holder();
        db.effects.runBatch(lease, provider, "2026-11", items(20), (item, outcome, soFar) -> progress.add(soFar));
        assertThat(progress).hasSize(20);
        BatchReport<String> again =
                db.effects.runBatch(db.successor(), provider, "2026-11", items(20), Effects.Progress.NONE);
        assertThat(again.totals()).isEqualTo(new Totals(0, 20, 0, 0, 0));
        assertThat(again.outcomes().keySet())
                .containsExactlyElementsOf(items(20).keySet());
        assertThat(provider.calls).hasSize(20);
    }

    @Test
    void theSameRunIdWithAnotherAmountIsRefusedBeforeAnyCall() throws Exception {
        Lease lease = db.holder();
        Map<String, Payment> other = items(20);
        other.put("item-7", TestProvider.payment("700 EUR"));
        db.effects.runBatch(lease, provider, "2026-11", items(20), Effects.Progress.NONE);
        assertThatThrownBy(() -> db.effects.runBatch(lease, provider, "2026-11", other, Effects.Progress.NONE))
                .isInstanceOf(PayloadMismatchException.class)
                .hasMessageContaining("2026-11/item-7");
        assertThat(provider.calls).hasSize(20);
    }

    @Test
    void theSameRunIdWithAnotherListIsRefusedAndPlansNothing() throws Exception {
        Lease lease = db.holder();
        db.effects.runBatch(lease, provider, "2026-11", items(5), Effects.Progress.NONE);
        for (int size : new int[] {4, 6}) {
            assertThatThrownBy(
                            () -> db.effects.runBatch(lease, provider, "2026-11", items(size), Effects.Progress.NONE))
                    .isInstanceOfSatisfying(
                            PayloadMismatchException.class,
                            e -> assertThat(e.fields()).containsExactly("2026-11/item-" + Math.min(size, 5)));
        }
        assertThat(db.desk.show(new EffectKey(TestProvider.EFFECT, "2026-11/item-5")))
                .isEmpty();
        assertThat(provider.calls).hasSize(5);
    }

    @Test
    void anItemWhoseCallCouldOutliveTheLeaseIsNotStarted() throws Exception {
        Lease lease = db.holder(); // 10 s, of which 9.5 count
        TestProvider slow =
                provider.with(ChannelTraits.keyed(TestProvider.EFFECT, Duration.ofHours(1), Duration.ofSeconds(5)));
        db.time.advance(Duration.ofMillis(9_200));
        BatchReport<String> report = db.effects.runBatch(lease, slow, "2026-11", items(3), Effects.Progress.NONE);
        assertThat(report.totals()).isEqualTo(new Totals(3, 0, 0, 0, 0));
        assertThat(String.valueOf(report.outcomes().get("item-0")))
                .contains("PT0.3S")
                .contains("PT5S");
        assertThat(slow.calls).isEmpty();
    }

    /** And no attempt is used up for it. */
    @Test
    void aRepeatThatCouldOutliveTheLeaseIsNotStartedEither() throws Exception {
        Lease lease = db.holder();
        TestProvider slow =
                provider.with(ChannelTraits.keyed(TestProvider.EFFECT, Duration.ofHours(1), Duration.ofSeconds(5)));
        slow.then(key -> {
                    db.time.advance(Duration.ofMillis(9_200));
                    return new Answer.Unknown<>("500");
                })
                .thenFinds(new Found.CannotTell<>("search is down"));
        assertThat(db.effects.run(lease, slow, "inv-1", TestProvider.payment("100 EUR")))
                .isInstanceOf(Outcome.Unknown.class);
        assertThat(slow.calls).hasSize(1);
        assertThat(db.entry("inv-1").attempts()).isEqualTo(1);
    }

    @Test
    void anOldRunThatWakesUpSendsNothingMore() throws Exception {
        Lease old = db.holder();
        TestProvider pausing = TestProvider.keyed();
        assertThatThrownBy(() -> db.effects.runBatch(old, pausing, "2026-11", items(20), (item, outcome, soFar) -> {
                    if (soFar.done() == 7) {
                        db.time.advance(Duration.ofSeconds(25));
                    }
                }))
                .isInstanceOf(LeaseLostException.class);
        assertThat(pausing.calls).hasSize(7);
        BatchReport<String> report =
                db.effects.runBatch(db.holder(), pausing, "2026-11", items(20), Effects.Progress.NONE);
        assertThat(report.totals().done()).isEqualTo(20);
        assertThat(pausing.calls).hasSize(20).doesNotHaveDuplicates();
    }

    @Test
    void whatWasCalledBeforeIsLookedUpBeforeAnythingElseIsCalled() throws Exception {
        Lease first = db.holder();
        List<String> order = new ArrayList<>();
        TestProvider outage = TestProvider.keyed();
        for (int i = 0; i < 3; i++) {
            outage.then(key -> new Answer.Unknown<>("500"));
        }
        db.effects.runBatch(first, outage, "r", Map.of("z", TestProvider.payment("1")), Effects.Progress.NONE);
        for (String key : List.of("a", "b")) {
            db.effects.run(
                    first,
                    outage.then(k -> new Answer.NotExecuted<>("down"))
                            .then(k -> new Answer.NotExecuted<>("down"))
                            .then(k -> new Answer.NotExecuted<>("down")),
                    key,
                    TestProvider.payment("1"));
        }
        db.effects.resume(db.successor(), outage, (item, outcome, soFar) -> order.add(item));
        assertThat(order).startsWith("r/z").contains("a", "b");
    }

    @Test
    void aRunIdWithASlashIsRefused() throws Exception {
        Lease lease = db.holder();
        assertThatThrownBy(() -> db.effects.runBatch(lease, provider, "a/b", items(1), Effects.Progress.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a/b");
    }

    @Test
    void anInterruptedRunLeavesTheCallUnknownAndGoesOnNextTime() throws Exception {
        Lease lease = db.holder();
        Thread runner = Thread.currentThread();
        provider.then(key -> {
            Answer<String> paid = provider.pay(key);
            runner.interrupt();
            new java.util.concurrent.CountDownLatch(1).await();
            return paid;
        });
        assertThatThrownBy(() -> db.effects.runBatch(lease, provider, "r", items(2), Effects.Progress.NONE))
                .isInstanceOf(InterruptedException.class);
        assertThat(db.entry("r/item-0").state()).isEqualTo(EffectState.UNKNOWN);
        assertThat(db.effects
                        .runBatch(lease, provider, "r", items(2), Effects.Progress.NONE)
                        .totals()
                        .done())
                .isEqualTo(2);
        assertThat(provider.paid.values()).containsExactly(1, 1);
    }
}
