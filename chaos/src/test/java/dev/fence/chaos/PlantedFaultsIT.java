package dev.fence.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fence.Lease;
import dev.fence.Leases;
import dev.fence.fixtures.Direction;
import dev.fence.fixtures.EtcdCluster;
import dev.fence.fixtures.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Each scene is played twice: fence comes through it clean, and a client with the flaw it is about is caught. */
@Execution(ExecutionMode.CONCURRENT)
class PlantedFaultsIT {

    private static final int MOST_PLAYS = 5;

    private static final EtcdCluster ETCD = EtcdCluster.start(1);
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SECOND = Duration.ofSeconds(1);
    /** For what has to run out. */
    private static final Duration SHORT_TTL = Duration.ofSeconds(5);
    /** Where nothing has to. */
    private static final Duration LONG_TTL = Duration.ofSeconds(10);

    private interface Play {
        void in(Scene scene) throws Exception;
    }

    @AfterAll
    static void end() {
        ETCD.close();
    }

    private static void isCaughtOnlyWith(PlantedLeases.Flaw flaw, String rule, Duration ttl, Play play)
            throws Exception {
        assertThat(violationsOf(null, ttl, play)).isEmpty();
        // Some flaws show only if etcd is quick enough with the next grant.
        List<Violation> found = List.of();
        for (int plays = 0; plays < MOST_PLAYS && found.isEmpty(); plays++) {
            found = violationsOf(flaw, ttl, play);
        }
        assertThat(found).isNotEmpty().allMatch(violation -> violation.rule().equals(rule));
    }

    private static List<Violation> violationsOf(PlantedLeases.@Nullable Flaw flaw, Duration ttl, Play play)
            throws Exception {
        try (Scene scene = new Scene(ETCD, flaw, ttl)) {
            play.in(scene);
            return scene.violations();
        }
    }

    @Test
    void aGrantWithoutReadingTheQueueAgain() throws Exception {
        isCaughtOnlyWith(PlantedLeases.Flaw.GRANT_WITHOUT_REREAD, "one holder at a time", LONG_TTL, scene -> {
            Actor first = scene.actor("first");
            Lease held = first.acquire(scene.leases(), "a", LONG).orElseThrow();
            CompletableFuture<Optional<Lease>> leaving =
                    Scene.asking(scene.actor("second"), scene.leases(), "a", Duration.ofSeconds(3));
            assertThat(scene.awaitQueued(2, LONG)).isTrue();
            CompletableFuture<Optional<Lease>> last = Scene.asking(scene.actor("third"), scene.leases(), "a", LONG);
            Scene.claim(first, held, LONG, leaving); // whose place is before the last one's
            assertThat(leaving.get(10, TimeUnit.SECONDS)).isEmpty();
            Scene.claim(first, held, SECOND);
            first.release(held);
            last.get(30, TimeUnit.SECONDS).ifPresent(scene.actor("third")::release);
        });
    }

    @Test
    void aDeadlineThatCountsFromTheReply() throws Exception {
        isCaughtOnlyWith(PlantedLeases.Flaw.DEADLINE_FROM_REPLY, "one holder at a time", SHORT_TTL, scene -> {
            TcpProxy way = scene.way();
            Actor first = scene.actor("first");
            Lease held = first.acquire(scene.leases(way), "a", LONG).orElseThrow();
            Actor second = scene.actor("second");
            CompletableFuture<Optional<Lease>> next = Scene.asking(second, scene.leases(), "a", LONG);
            way.delay(
                    Direction.TO_CLIENT,
                    Duration.ofMillis(2_600)); // less than would lose it before the first late reply
            Scene.claim(first, held, Duration.ofMillis(2_500)); // a heartbeat is on its way back by then
            way.hold(Direction.TO_SERVER);
            Scene.claim(first, held, LONG);
            next.get(30, TimeUnit.SECONDS).ifPresent(second::release);
        });
    }

    @Test
    void aReleaseByName() throws Exception {
        isCaughtOnlyWith(PlantedLeases.Flaw.RELEASE_BY_NAME, "one holder at a time", SHORT_TTL, scene -> {
            TcpProxy way = scene.way();
            Actor late = scene.actor("late");
            Lease lost = late.acquire(scene.leases(way), "a", LONG).orElseThrow();
            Leases others = scene.leases();
            Leases more = scene.leases();
            way.hold(Direction.TO_SERVER);
            way.hold(Direction.TO_CLIENT);
            Actor holder = scene.actor("holder");
            Lease held = holder.acquire(others, "a", LONG).orElseThrow();
            way.pass();
            late.release(lost);
            Actor third = scene.actor("third");
            CompletableFuture<Optional<Lease>> asked = Scene.asking(third, more, "a", Duration.ofSeconds(3));
            Scene.claim(holder, held, LONG, asked);
            Scene.claim(holder, held, Duration.ofMillis(200));
            asked.get(10, TimeUnit.SECONDS).ifPresent(third::release);
            holder.release(held);
        });
    }

    @Test
    void aMissingTombstone() throws Exception {
        isCaughtOnlyWith(PlantedLeases.Flaw.NO_TOMBSTONE, "every acquire ends", LONG_TTL, scene -> {
            TcpProxy slow = scene.way();
            Leases impatient = scene.leases(slow, scene.way());
            Leases others = scene.leases();
            Actor holder = scene.actor("holder");
            Lease held = holder.acquire(others, "a", LONG).orElseThrow();
            slow.hold(Direction.TO_SERVER);
            // The request stays on the slow way; sent again on the other it is answered, and given up after a while.
            assertThat(scene.actor("impatient").acquire(impatient, "a", Duration.ofSeconds(2)))
                    .isEmpty();
            slow.pass();
            boolean unusedCame = scene.awaitQueued(2, SECOND); // beside the holder, if nothing is in its way
            holder.release(held);
            Actor last = scene.actor("last");
            last.acquire(others, "a", Duration.ofSeconds(5)).ifPresent(last::release);
        });
    }

    @Test
    void namesThatAreKeysAsTheyAre() throws Exception {
        isCaughtOnlyWith(PlantedLeases.Flaw.PLAIN_NAMES, "every acquire ends", LONG_TTL, scene -> {
            Leases leases = scene.leases();
            Actor holder = scene.actor("holder");
            Lease held = holder.acquire(leases, "payouts/EU", LONG).orElseThrow();
            Actor other = scene.actor("other");
            other.acquire(leases, "payouts", Duration.ofSeconds(5)).ifPresent(other::release);
            holder.release(held);
        });
    }
}
