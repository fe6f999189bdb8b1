package dev.fence.chaos;

import dev.fence.fixtures.Direction;
import dev.fence.fixtures.EtcdCluster;
import dev.fence.fixtures.EtcdMember;
import dev.fence.fixtures.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Draws faults. What is drawn depends on the seed alone, but for who holds a lease and who leads etcd at that moment. */
final class Faults {

    /** All faults of etcd itself: one at a time, or a cluster of three would mostly be without a quorum. */
    private static final Object ETCD = "etcd";

    private final EtcdCluster etcd;
    private final List<Seat> seats;
    private final Partitions partitions;
    private final History history;
    private final SplittableRandom random;
    private final List<Draw> draws = new ArrayList<>();

    private interface Draw {
        Optional<Fault> draw();
    }

    Faults(EtcdCluster etcd, List<Seat> seats, Partitions partitions, History history, SplittableRandom random) {
        this.etcd = etcd;
        this.seats = seats;
        this.partitions = partitions;
        this.history = history;
        this.random = random;
        likely(14, () -> holder().map(this::pause));
        likely(8, () -> Optional.of(pause(anySeat())));
        likely(6, () -> holder().map(this::kill));
        likely(5, () -> Optional.of(kill(anySeat())));
        likely(8, () -> Optional.of(pauseEtcd()));
        likely(5, () -> Optional.of(killEtcd()));
        likely(
                10,
                () -> Optional.of(network("parted from etcd", 4_500, proxy -> {
                    proxy.hold(Direction.TO_SERVER);
                    proxy.hold(Direction.TO_CLIENT);
                })));
        likely(5, () -> Optional.of(network("requests held", 4_500, proxy -> proxy.hold(Direction.TO_SERVER))));
        likely(8, () -> Optional.of(network("replies held", 4_500, proxy -> proxy.hold(Direction.TO_CLIENT))));
        likely(8, () -> Optional.of(network("replies dropped", 2_000, proxy -> proxy.drop(Direction.TO_CLIENT))));
        likely(5, () -> Optional.of(network("requests dropped", 2_000, proxy -> proxy.drop(Direction.TO_SERVER))));
        likely(8, this::delayedReplies);
        likely(6, () -> Optional.of(network("connections reset", 50, TcpProxy::cut)));
        likely(
                4,
                () -> Optional.of(network("connections refused", 3_000, proxy -> {
                    proxy.refuse();
                    proxy.cut();
                })));
        likely(10, () -> Optional.of(partWorker()));
        likely(6, () -> Optional.of(partMember(0, true)));
        if (seats.stream().anyMatch(Seat::hasClock)) {
            likely(8, () -> Optional.of(stepClock()));
        }
        int others = etcd.members().size() - 1;
        if (others > 0) {
            likely(8, () -> etcd.leader().map(this::handOver));
            likely(8, () -> Optional.of(partMember(others, false)));
            likely(4, () -> Optional.of(partMember(1, false)));
            likely(4, () -> Optional.of(partMember(others, true)));
        }
    }

    private void likely(int weight, Draw draw) {
        draws.addAll(Collections.nCopies(weight, draw));
    }

    /** Empty if what was drawn has no target at this moment. */
    Optional<Fault> draw() {
        return draws.get(random.nextInt(draws.size())).draw();
    }

    private Seat anySeat() {
        return seats.get(random.nextInt(seats.size()));
    }

    private EtcdMember anyMember() {
        return etcd.members().get(random.nextInt(etcd.members().size()));
    }

    /** The seat of who was granted some lease last. */
    private Optional<Seat> holder() {
        List<String> leases = new ArrayList<>(Worker.LEASES);
        leases.add(Worker.LEADER);
        String process = history.lastHolder(leases.get(random.nextInt(leases.size())));
        return seats.stream()
                .filter(seat -> process.startsWith(seat.name() + "."))
                .findFirst();
    }

    private long millis(int atLeast, int longest) {
        return random.nextLong(atLeast, (long) atLeast + longest);
    }

    private Fault pause(Seat seat) {
        return new Fault(
                "pause " + seat.name(),
                seat,
                millis(50, 5_000),
                () -> seat.worker().pause(),
                () -> seat.worker().resume());
    }

    private Fault kill(Seat seat) {
        return new Fault(
                "kill " + seat.name(),
                seat,
                millis(0, 1_000),
                () -> seat.worker().kill(),
                seat::start);
    }

    private Fault pauseEtcd() {
        // Mostly the leader: that is where leases are counted.
        EtcdMember member = random.nextBoolean() ? etcd.leader().orElseGet(this::anyMember) : anyMember();
        return new Fault(
                "pause etcd " + member.name(), ETCD, millis(50, 5_000), member::stopProcess, member::continueProcess);
    }

    private Fault killEtcd() {
        EtcdMember member = anyMember();
        return new Fault("kill etcd " + member.name(), ETCD, millis(0, 2_000), member::kill, member::restart);
    }

    private Fault handOver(EtcdMember leader) {
        List<EtcdMember> others =
                etcd.members().stream().filter(member -> member != leader).toList();
        EtcdMember next = others.get(random.nextInt(others.size()));
        return new Fault(
                "etcd's lead from " + leader.name() + " to " + next.name(),
                ETCD,
                50,
                () -> leader.handOver(next),
                () -> {});
    }

    private Fault partWorker() {
        Seat seat = anySeat();
        List<Integer> all = IntStream.range(0, etcd.members().size()).boxed().toList();
        List<Integer> members = random.nextBoolean() ? all : List.of(all.get(random.nextInt(all.size())));
        Silence silence = anySilence();
        return cut(
                seat.name() + " " + silence.words() + " etcd, ways " + members.size(),
                seat.name() + " packets",
                partitions.ofWorker(seat, members, silence));
    }

    /** @param many of the other members, and all workers if they are not spared */
    private Fault partMember(int many, boolean fromWorkers) {
        List<EtcdMember> members = new ArrayList<>(etcd.members());
        Collections.rotate(members, random.nextInt(members.size()));
        EtcdMember member = members.get(0);
        List<EtcdMember> others = members.subList(1, 1 + many);
        Silence silence = anySilence();
        List<String> names =
                new ArrayList<>(others.stream().map(EtcdMember::name).toList());
        if (fromWorkers) {
            names.add("workers");
        }
        return cut(
                "etcd " + member.name() + " " + silence.words() + " " + String.join(", ", names),
                ETCD,
                partitions.ofMember(member, others, fromWorkers, silence));
    }

    /** Both ways as often as either alone. */
    private Silence anySilence() {
        Silence[] silences = Silence.values();
        return silences[random.nextInt(silences.length)];
    }

    private Fault cut(String what, Object target, Partitions.Cut cut) {
        return new Fault(partitions.by() + ": " + what, target, millis(100, 4_400), cut.begin(), cut.end());
    }

    private Fault network(String what, int longest, Consumer<TcpProxy> harm) {
        Seat seat = anySeat();
        List<TcpProxy> ways = seat.network();
        List<TcpProxy> harmed = random.nextBoolean() ? ways : List.of(ways.get(random.nextInt(ways.size())));
        return new Fault(
                what + ", " + seat.name() + ", ways " + harmed.size(),
                harmed.get(0),
                millis(20, longest),
                () -> harmed.forEach(harm),
                () -> harmed.forEach(TcpProxy::pass));
    }

    private Optional<Fault> delayedReplies() {
        Duration delay = Duration.ofMillis(millis(20, 1_500));
        return Optional.of(network(
                "replies " + delay.toMillis() + " ms late", 4_000, proxy -> proxy.delay(Direction.TO_CLIENT, delay)));
    }

    private Fault stepClock() {
        Seat seat = seats.stream().filter(Seat::hasClock).findFirst().orElseThrow();
        long seconds = random.nextLong(-7_200, 7_200);
        return new Fault(
                "clock of " + seat.name() + " off by " + seconds + " s",
                seat.name() + " clock",
                millis(200, 4_000),
                () -> seat.stepClock(seconds),
                () -> seat.stepClock(0));
    }
}
