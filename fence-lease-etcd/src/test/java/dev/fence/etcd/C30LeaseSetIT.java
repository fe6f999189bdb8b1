package dev.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fence.FenceEvents;
import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.LeaseLostException;
import dev.fence.LeaseSet;
import dev.fence.LeaseTimeoutException;
import dev.fence.LossReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** C30: several leases at once. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class C30LeaseSetIT extends EtcdCase {

    private static Set<String> ordered(String... names) {
        return new LinkedHashSet<>(List.of(names));
    }

    @Test
    void theyAreAcquiredInOneOrderWhateverTheSetsOwn() throws Exception {
        List<String> acquired = new CopyOnWriteArrayList<>();
        EtcdLeases leases = open(settings(etcd.endpoint()).withEvents(new FenceEvents() {
            @Override
            public void acquired(Grant grant, Duration waited) {
                acquired.add(grant.leaseName());
            }
        }));
        // A character beyond the 16-bit ones sorts below U+FFxx as text and above it as bytes.
        try (LeaseSet set = leases.acquireAll(ordered("\ud83d\ude00", "b", "\uff5a", "a", "Z"), LONG)) {
            assertThat(acquired).containsExactly("Z", "a", "b", "\uff5a", "\ud83d\ude00");
            assertThat(set.leases()).extracting(Lease::name).isEqualTo(acquired);
        }
        assertThat(raw.keys("q/")).isEmpty();
    }

    @Test
    void oppositeOrdersDoNotBlockEachOther() throws Exception {
        EtcdLeases one = open();
        EtcdLeases other = open();
        List<CompletableFuture<Void>> workers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            EtcdLeases mine = i % 2 == 0 ? one : other;
            Set<String> names = i % 2 == 0 ? ordered("a", "b") : ordered("b", "a");
            workers.add(CompletableFuture.runAsync(
                    () -> {
                        for (int turn = 0; turn < 8; turn++) {
                            try (LeaseSet set = mine.acquireAll(names, LONG)) {
                                set.lease("a").begin().close();
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                        }
                    },
                    task -> new Thread(task, "set-worker").start()));
        }
        for (CompletableFuture<Void> worker : workers) {
            worker.get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void oneThatIsTakenFreesAllThatWereGot() throws Exception {
        EtcdLeases leases = open();
        try (Lease stranger = open().acquire("b", LONG)) {
            assertThatThrownBy(() -> leases.acquireAll(Set.of("a", "b", "c"), SHORT))
                    .isInstanceOf(LeaseTimeoutException.class)
                    .hasMessageContaining(stranger.grant().holder().toString());
            assertThat(raw.keys("q/")).hasSize(1);
        }
        leases.acquireAll(Set.of("a", "b", "c"), LONG).close();
    }

    @Test
    void withOneLostAllAreLostAndGivenBack() throws Exception {
        EtcdLeases leases = open();
        LeaseSet set = leases.acquireAll(Set.of("a", "b"), LONG);
        Lease a = set.lease("a");
        BlockingQueue<LossReason> told = new LinkedBlockingQueue<>();
        a.onLoss(told::add);
        assertThat(isHeld(a)).isTrue();
        MemoryFence fence = new MemoryFence();
        fence.create(a, "account 1");
        var writer = fence.seal(a, "account 1");
        writer.write(log -> log.add("first"));

        raw.delete(raw.keys("q/b/").get(0));
        awaitLoss(a, LossReason.Kind.REMOVED, LONG);
        assertThat(a.remaining()).isZero();
        assertThatThrownBy(() -> writer.write(log -> log.add("second")))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("lease \"b\" of the set");
        assertThatThrownBy(a::confirm).isInstanceOf(LeaseLostException.class);
        assertThat(told.poll(10, TimeUnit.SECONDS).kind()).isEqualTo(LossReason.Kind.REMOVED);
        soon().until(() -> raw.keys("q/").isEmpty());
        set.close();
        assertThat(told).isEmpty();
        assertThat(fence.written()).containsExactly("first");
    }

    @Test
    void closingOneClosesTheSetAfterTheWorkUnderEachHasEnded() throws Exception {
        EtcdLeases leases = open();
        LeaseSet set = leases.acquireAll(Set.of("a", "b"), LONG);
        Lease.Work work = set.lease("b").begin();
        CompletableFuture<Void> closed = CompletableFuture.runAsync(set.lease("a")::close);
        soon().until(() -> raw.keys("q/").size() == 1);
        assertThat(closed).isNotDone();
        work.close();
        closed.get(5, TimeUnit.SECONDS);
        assertThat(raw.keys("q/")).isEmpty();
    }

    @Test
    void impossibleSetsAreRefused() {
        EtcdLeases leases = open();
        Set<String> tooMany = IntStream.range(0, 101).mapToObj(i -> "n" + i).collect(Collectors.toSet());
        assertThatIllegalArgumentException().isThrownBy(() -> leases.acquireAll(Set.of(), LONG));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> leases.acquireAll(tooMany, LONG))
                .withMessageContaining("101")
                .withMessageContaining("1 to 100");
        assertThatIllegalArgumentException().isThrownBy(() -> leases.acquireAll(Set.of("a", ""), LONG));
        assertThatIllegalArgumentException().isThrownBy(() -> leases.acquireAll(Set.of("a"), Duration.ofNanos(-1)));
        assertThat(raw.keys("q/")).isEmpty();
    }
}
