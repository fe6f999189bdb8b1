package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.Lease;
import dev.fence.LeaseSettings;
import dev.fence.LeaseTimeoutException;
import dev.fence.ReleaseOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** C47: ownership tied to a thread. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class C47AnyThreadIT extends EtcdCase {

    private static CompletableFuture<Lease> asking(EtcdLeases leases, Duration wait) {
        return leases.acquireAsync("a", wait, LeaseSettings.DEFAULTS);
    }

    private static void on(String thread, Runnable task) throws Exception {
        CompletableFuture.runAsync(task, work -> new Thread(work, thread).start())
                .get(10, TimeUnit.SECONDS);
    }

    @Test
    void oneThreadAcquiresAnotherWritesAThirdCloses() throws Exception {
        EtcdLeases leases = open();
        MemoryFence fence = new MemoryFence();
        Lease[] lease = new Lease[1];
        on("first", () -> lease[0] = asking(leases, LONG).join());
        on("second", () -> {
            fence.create(lease[0], "r");
            fence.seal(lease[0], "r").write(log -> log.add("written"));
        });
        on("third", () -> assertThat(lease[0].release()).isEqualTo(ReleaseOutcome.RELEASED));
        assertThat(fence.written()).containsExactly("written");
    }

    @Test
    void theLeaseCanEndWithAnAsynchronousResult() throws Exception {
        EtcdLeases leases = open();
        CompletableFuture<String> result = new CompletableFuture<>();
        CompletableFuture<String> all =
                asking(leases, LONG).thenCompose(lease -> result.whenComplete((value, failure) -> lease.close()));
        soon().until(() -> raw.keys("q/").size() == 1);
        assertThat(leases.tryAcquire("a")).isEmpty();
        result.complete("done");
        assertThat(all.get(10, TimeUnit.SECONDS)).isEqualTo("done");
        assertThat(raw.keys("q/")).isEmpty();
    }

    @Test
    void cancellingGivesUpThePlace() throws Exception {
        EtcdLeases leases = open();
        try (Lease held = leases.acquire("a", LONG)) {
            CompletableFuture<Lease> asked = asking(leases, LONG);
            soon().until(() -> raw.keys("q/").size() == 2);
            asked.cancel(true);
            assertThatThrownBy(asked::join).isInstanceOf(CancellationException.class);
            soon().until(() -> raw.keys("q/").size() == 1);

            CompletableFuture<Lease> impatient = asking(leases, LONG).orTimeout(50, TimeUnit.MILLISECONDS);
            assertThatThrownBy(() -> impatient.get(10, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(TimeoutException.class);
            soon().until(() -> raw.keys("q/").size() == 1);
            held.confirm();
        }
        soon().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("fence-acquire-")));
    }

    @Test
    void aGrantInTheMomentOfCancellingIsGivenBack() throws Exception {
        EtcdLeases leases = open();
        List<CompletableFuture<Lease>> all = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            CompletableFuture<Lease> asked = asking(leases, LONG);
            all.add(asked);
            if (i % 3 == 0) {
                soon().until(() -> !raw.keys("q/").isEmpty());
            }
            if (!asked.cancel(true)) {
                asked.join().close();
            }
        }
        soon().until(() -> raw.keys("q/").isEmpty());
        assertThat(all).allMatch(CompletableFuture::isDone);
    }

    @Test
    void itFailsWithWhatAcquiringThrows() throws Exception {
        EtcdLeases leases = open();
        try (Lease held = leases.acquire("a", LONG)) {
            assertThatThrownBy(() -> asking(leases, SHORT).get(10, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(LeaseTimeoutException.class)
                    .hasMessageContaining(held.grant().holder().toString());
            assertThatThrownBy(() -> asking(leases, Duration.ofDays(400)).get(10, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(IllegalArgumentException.class);
        }
    }
}
