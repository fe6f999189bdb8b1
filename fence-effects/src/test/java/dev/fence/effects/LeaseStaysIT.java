package dev.fence.effects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.fence.Lease;
import dev.fence.LeaseLostException;
import dev.fence.LossReason;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A lease that is closed meanwhile goes to nobody else before the call has come back, or the slot's work. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LeaseStaysIT {

    private final JournalDatabase db = new JournalDatabase();
    private final BlockingQueue<LossReason> signal = new LinkedBlockingQueue<>();
    private Lease lease;
    private CompletableFuture<Void> closing = new CompletableFuture<>();

    @BeforeEach
    void hold() throws InterruptedException {
        lease = db.holder();
        lease.onLoss(signal::add);
    }

    @Test
    void whileACallIsUnderWay() throws Exception {
        TestProvider provider = TestProvider.keyed();
        AtomicBoolean stayed = new AtomicBoolean(); // what a channel throws is an unknown answer
        provider.then(key -> {
            assertIsClosedButNotGivenBack();
            stayed.set(true);
            return provider.pay(key);
        });

        assertThatThrownBy(() -> db.effects.run(lease, provider, "inv-1", TestProvider.payment("100 EUR")))
                .isInstanceOf(LeaseLostException.class);
        assertThat(stayed).isTrue();
        assertIsGivenBack();
        assertThat(db.entry("inv-1").state()).isEqualTo(EffectState.SENT);
    }

    @Test
    void whileASlotRuns() throws Exception {
        Slots slots = Slots.on(db.fence);

        assertThatThrownBy(() -> slots.once(
                        lease,
                        "job",
                        Instant.parse("2026-11-29T02:30:00Z"),
                        Overlap.skip(),
                        slot -> assertIsClosedButNotGivenBack()))
                .isInstanceOf(LeaseLostException.class);
        assertIsGivenBack();
    }

    private void assertIsClosedButNotGivenBack() throws InterruptedException {
        closing = CompletableFuture.runAsync(lease::close);
        assertThat(signal.poll(5, TimeUnit.SECONDS)).isNotNull();
        await().during(Duration.ofMillis(200))
                .until(() -> db.process()
                        .holder(JournalDatabase.LEASE)
                        .filter(lease.grant()::equals)
                        .isPresent());
    }

    private void assertIsGivenBack() throws Exception {
        closing.get(10, TimeUnit.SECONDS);
        assertThat(db.process().holder(JournalDatabase.LEASE)).isEmpty();
    }
}
