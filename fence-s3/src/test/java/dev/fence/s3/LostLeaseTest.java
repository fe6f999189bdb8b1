package dev.fence.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.Lease;
import dev.fence.LeaseLostException;
import dev.fence.LossReason;
import dev.fence.WriteOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A lease that is over by our own clock sends nothing, though nobody has sealed since. */
class LostLeaseTest extends OnFaultyStore {

    @Test
    void underALostLeaseNoBodyRuns() {
        ObjectWriter writer = writer();
        lease.close();

        assertThatThrownBy(() -> writer.write(slot -> {
                    throw new AssertionError("ran");
                }))
                .isInstanceOf(LeaseLostException.class);
    }

    @Test
    void aLeaseThatEndsInsideTheBodySendsNothing() {
        ObjectWriter writer = writer();
        List<WriteOutcome> outcomes = new ArrayList<>();

        assertThatThrownBy(() -> writer.write(slot -> {
                    slot.onOutcome(outcomes::add);
                    slot.put("late".getBytes(UTF_8));
                    holders.service.time().advance(Duration.ofSeconds(30));
                }))
                .isInstanceOf(LeaseLostException.class);

        assertThat(value()).isEqualTo("before");
        assertThat(outcomes).containsExactly(WriteOutcome.REFUSED);
    }

    @Test
    void aLeaseThatEndsBetweenTheReadAndTheWriteOfItsSealSendsNothing() {
        ObjectWriter writer = writer();
        Lease newer = holders.next();
        store.beforeNext("GET", () -> holders.service.time().advance(Duration.ofSeconds(30)));

        assertThatThrownBy(() -> fence.seal(newer, SLOT)).isInstanceOf(LeaseLostException.class);

        assertThat(store.requests()).containsExactly("GET " + SLOT);
        assertThat(reader().read(SLOT).orElseThrow().guard()).isEqualTo(writer.grant());
    }

    @Test
    void closingTheLeaseWaitsForABodyThatRuns() throws Exception {
        ObjectWriter writer = writer();
        BlockingQueue<LossReason> signal = new LinkedBlockingQueue<>();
        lease.onLoss(signal::add);
        List<CompletableFuture<Void>> closing = new ArrayList<>();

        assertThatThrownBy(() -> writer.write(slot -> {
                    closing.add(CompletableFuture.runAsync(lease::close));
                    assertThat(signal.poll(5, TimeUnit.SECONDS)).isNotNull();
                    assertThat(holders.service.holderOf("exports/EU")).isEqualTo(lease.grant());
                    slot.put("late".getBytes(UTF_8));
                }))
                .isInstanceOf(LeaseLostException.class);

        closing.get(0).get(10, TimeUnit.SECONDS);
        assertThat(holders.service.holderOf("exports/EU")).isNull();
        assertThat(value()).isEqualTo("before");
    }
}
