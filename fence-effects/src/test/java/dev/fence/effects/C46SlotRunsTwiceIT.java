package dev.fence.effects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.FenceException;
import dev.fence.Lease;
import dev.fence.LeaseState;
import dev.fence.SessionTiming;
import dev.fence.StaleTokenException;
import dev.fence.etcd.EtcdLeases;
import dev.fence.etcd.EtcdSettings;
import dev.fence.fixtures.EtcdServer;
import dev.fence.jdbc.JdbcWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** C46: the same schedule slot runs twice. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class C46SlotRunsTwiceIT {

    private static final Instant SLOT = Instant.parse("2026-11-29T02:30:00Z");
    private static final String JOB = "settlement";

    private final JournalDatabase db = new JournalDatabase();
    private final Slots slots = Slots.on(db.fence);
    private final List<Slot> ran = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "c46");
        thread.setDaemon(true);
        return thread;
    });

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    private SlotOutcome once(Lease lease, Instant slot) throws InterruptedException {
        return slots.once(lease, JOB, slot, Overlap.skip(), ran::add);
    }

    /** Both nodes' timers ring for each slot, the second one's 30 s early by the true time: ten minutes, played in a moment. */
    @Test
    void twoNodesWithClocksThatDifferRunEachSlotOnce() throws Exception {
        EtcdSettings etcd =
                EtcdSettings.of(EtcdServer.shared().endpoint()).withTiming(SessionTiming.ofTtl(Duration.ofSeconds(30)));
        String name = "minutely/" + UUID.randomUUID();
        Map<Instant, List<String>> runs = new ConcurrentHashMap<>();
        List<SlotOutcome> outcomes = new ArrayList<>();
        try (EtcdLeases one = EtcdLeases.open(etcd);
                EtcdLeases other = EtcdLeases.open(etcd)) {
            for (int halfMinute = 0; halfMinute < 20; halfMinute++) {
                Instant now = SLOT.plusSeconds(30L * halfMinute).plusMillis(3);
                Future<SlotOutcome> first = threads.submit(() -> node(one, name, now, runs));
                Future<SlotOutcome> second = threads.submit(() -> node(other, name, now.plusSeconds(30), runs));
                outcomes.add(first.get(30, TimeUnit.SECONDS));
                outcomes.add(second.get(30, TimeUnit.SECONDS));
            }
        }
        assertThat(runs).hasSize(11).allSatisfy((slot, by) -> assertThat(by).hasSize(1));
        assertThat(outcomes).hasSize(40);
        assertThat(outcomes.stream().filter(SlotOutcome.Ran.class::isInstance)).hasSize(11);
        assertThat(outcomes.stream().filter(SlotOutcome.NotAgain.class::isInstance))
                .hasSize(29)
                .allSatisfy(told -> assertThat(told.slot().run().toString())
                        .as("the second runner is told the first one's run")
                        .isIn(runs.values().stream().flatMap(List::stream).toList()));
    }

    private SlotOutcome node(EtcdLeases leases, String name, Instant clock, Map<Instant, List<String>> runs)
            throws InterruptedException {
        Instant slot = clock.truncatedTo(ChronoUnit.MINUTES); // what the schedule says, whatever the seconds
        try (Lease lease = leases.acquire(name, Duration.ofSeconds(20))) {
            db.effects.create(lease);
            return slots.once(
                    lease,
                    name,
                    slot,
                    Overlap.skip(),
                    run -> runs.computeIfAbsent(run.scheduledAt(), s -> new ArrayList<>())
                            .add(run.run().toString()));
        }
    }

    @Test
    void aTimeWithFractionsIsOfAClockAndRefused() throws Exception {
        Lease lease = db.holder();
        assertThatThrownBy(() -> once(lease, SLOT.plusMillis(3)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not that of a clock");
        assertThat(ran).isEmpty();
    }

    /** In Berlin, 02:30 is there twice on 25 October 2026, and not at all on 28 March 2027. */
    @Test
    void aDailySlotRunsOnceInTheNightsInWhichTheClocksChange() throws Exception {
        Lease lease = db.holder();
        ZoneId berlin = ZoneId.of("Europe/Berlin");
        for (LocalDate day : List.of(LocalDate.of(2026, 10, 25), LocalDate.of(2027, 3, 28))) {
            ran.clear();
            // local clocks show every quarter of an hour of that night, the hour that is there twice too
            Instant from = day.atStartOfDay(berlin).toInstant();
            for (Instant now = from; now.isBefore(from.plusSeconds(6 * 3600)); now = now.plusSeconds(900)) {
                ZonedDateTime local = now.atZone(berlin);
                ZonedDateTime scheduled = local.toLocalDate().atTime(2, 30).atZone(berlin);
                if (!local.isBefore(scheduled)) {
                    once(lease, scheduled.toInstant());
                }
            }
            assertThat(ran).as(day.toString()).hasSize(1);
        }
        assertThat(slots.list(lease, JOB, 10))
                .extracting(Slot::scheduledAt)
                .containsExactly(Instant.parse("2027-03-28T01:30:00Z"), Instant.parse("2026-10-25T00:30:00Z"));
    }

    @Test
    void aSlotThatComesWhileAnotherRunsIsSkippedOnRecordOrWaits() throws Exception {
        Lease lease = db.holder();
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        Future<SlotOutcome> slow = threads.submit(() -> slots.once(lease, JOB, SLOT, Overlap.skip(), slot -> {
            started.countDown();
            over.await();
        }));
        assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(once(lease, SLOT)).as("the same slot").isInstanceOf(SlotOutcome.NotAgain.class);
        assertThat(once(lease, SLOT.plusSeconds(60)))
                .isInstanceOf(SlotOutcome.Skipped.class)
                .extracting(skipped -> skipped.slot().detail())
                .asString()
                .contains("still running", SLOT.toString());
        assertThat(slots.once(lease, JOB, SLOT.plusSeconds(90), Overlap.queue(Duration.ofMillis(1)), ran::add))
                .as("waited, but not for long enough")
                .isInstanceOf(SlotOutcome.Skipped.class);
        Future<SlotOutcome> queued = threads.submit(
                () -> slots.once(lease, JOB, SLOT.plusSeconds(120), Overlap.queue(Duration.ofSeconds(30)), ran::add));
        assertThatThrownBy(() -> queued.get(200, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        assertThat(ran).isEmpty();
        over.countDown();
        assertThat(slow.get(30, TimeUnit.SECONDS)).isInstanceOf(SlotOutcome.Ran.class);
        assertThat(queued.get(30, TimeUnit.SECONDS)).isInstanceOf(SlotOutcome.Ran.class);
        assertThat(ran).hasSize(1);
    }

    /** A is falsely taken for dead while its slot runs. */
    @Test
    void theSuccessorRunsTheSlotAgainAndTheFormerHolderCanDoNothing() throws Exception {
        db.sql("CREATE TABLE ledger (entry text)");
        TestProvider bank = TestProvider.keyed();
        Lease a = db.holder();
        db.fence.create(a, "ledger");
        JdbcWriter ledger = db.fence.seal(a, "ledger");
        List<Slot> byB = new ArrayList<>();
        assertThatThrownBy(() -> slots.once(a, JOB, SLOT, Overlap.skip(), slot -> {
                    pay(a, bank, slot);
                    Lease b = db.successor(); // A's renewals are blocked
                    assertThat(a.state()).isInstanceOf(LeaseState.Lost.class);
                    db.fence
                            .seal(b, "ledger")
                            .write(c -> c.createStatement().execute("INSERT INTO ledger VALUES ('B')"));
                    assertThat(slots.once(b, JOB, SLOT, Overlap.skip(), again -> {
                                pay(b, bank, again);
                                byB.add(again);
                            }))
                            .isInstanceOf(SlotOutcome.Ran.class);
                    ledger.write(c -> c.createStatement().execute("INSERT INTO ledger VALUES ('A')"));
                }))
                .isInstanceOf(FenceException.class);
        assertThatThrownBy(() -> db.fence.attach(a.grant(), "ledger").write(c -> {}))
                .isInstanceOf(StaleTokenException.class);
        assertThat(bank.calls).hasSize(1);
        assertThat(byB).singleElement().satisfies(slot -> {
            assertThat(slot.attempts()).isEqualTo(2);
            assertThat(slot.token().value()).isGreaterThan(a.token().value());
        });
        Lease c = db.successor();
        assertThat(once(c, SLOT)).isInstanceOf(SlotOutcome.NotAgain.class);
        assertThat(slots.list(c, JOB, 1))
                .singleElement()
                .extracting(Slot::state)
                .isEqualTo(SlotState.DONE);
    }

    private void pay(Lease lease, TestProvider bank, Slot slot) throws InterruptedException {
        db.effects.runBatch(
                lease, bank, slot.id(), Map.of("inv-1", TestProvider.payment("100 EUR")), Effects.Progress.NONE);
    }

    @Test
    void aSlotThatFailedRunsAgainOnlyIfSomebodySaysSo() throws Exception {
        Lease lease = db.holder();
        assertThatThrownBy(() -> slots.once(lease, JOB, SLOT, Overlap.skip(), slot -> {
                    throw new IllegalStateException("the file is not there");
                }))
                .hasMessage("the file is not there");
        assertThat(once(lease, SLOT))
                .isInstanceOf(SlotOutcome.NotAgain.class)
                .extracting(SlotOutcome::slot)
                .satisfies(slot -> {
                    assertThat(slot.state()).isEqualTo(SlotState.FAILED);
                    assertThat(slot.detail()).contains("the file is not there");
                });
        assertThat(once(db.successor(), SLOT)).isInstanceOf(SlotOutcome.NotAgain.class);
        Lease later = db.successor();
        assertThat(slots.rerun(later, JOB, SLOT, Overlap.skip(), ran::add)).isInstanceOf(SlotOutcome.Ran.class);
        assertThat(slots.rerun(later, JOB, SLOT, Overlap.skip(), ran::add)).isInstanceOf(SlotOutcome.NotAgain.class);
        assertThat(ran).singleElement().extracting(Slot::attempts).isEqualTo(2);
        assertThatThrownBy(() -> slots.rerun(later, JOB, SLOT.plusSeconds(1), Overlap.skip(), ran::add))
                .hasMessageContaining("never started");
    }

    @Test
    void whatBecomesOfMissedSlotsIsAChoice() throws Exception {
        Lease lease = db.holder();
        List<Instant> missed = List.of(SLOT, SLOT.plusSeconds(60), SLOT.plusSeconds(120));
        slots.missed(lease, "skip", missed, MissedSlots.SKIP, ran::add);
        assertThat(ran).isEmpty();
        slots.missed(lease, "latest", missed, MissedSlots.RUN_LATEST, ran::add);
        assertThat(ran).extracting(Slot::scheduledAt).containsExactly(SLOT.plusSeconds(120));
        ran.clear();
        slots.missed(lease, "all", missed, MissedSlots.RUN_ALL, ran::add);
        assertThat(slots.missed(lease, "all", missed, MissedSlots.RUN_ALL, ran::add))
                .allMatch(SlotOutcome.NotAgain.class::isInstance);
        assertThat(ran).extracting(Slot::scheduledAt).containsExactlyElementsOf(missed);
        assertThat(slots.list(lease, "skip", 10)).hasSize(3).allMatch(slot -> slot.state() == SlotState.SKIPPED);
        assertThatThrownBy(() ->
                        slots.missed(lease, "all", List.of(SLOT.plusSeconds(60), SLOT), MissedSlots.RUN_ALL, ran::add))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aSlotBelongsToOneLeaseAndIsNeverForgotten() throws Exception {
        Lease lease = db.holder();
        once(lease, SLOT);
        Lease other = db.process().acquire("other", Duration.ofSeconds(1));
        db.effects.create(other);
        assertThatThrownBy(() -> once(other, SLOT)).hasMessageContaining("two holders would run it");
        for (String wipe : List.of("DELETE FROM fence.slot", "TRUNCATE fence.slot", "DELETE FROM fence.slot_history")) {
            assertThatThrownBy(() -> db.sql(wipe)).as(wipe).cause().hasMessageContaining("is refused");
        }
        assertThatThrownBy(() -> db.sql("SET ROLE fence_application", "UPDATE fence.slot SET state = 'failed'"))
                .cause()
                .hasMessageContaining("permission denied");
    }
}
