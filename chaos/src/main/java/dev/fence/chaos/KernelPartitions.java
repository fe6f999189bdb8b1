package dev.fence.chaos;

import dev.fence.fixtures.EtcdMember;
import dev.fence.fixtures.Station;
import java.util.ArrayList;
import java.util.List;

/** The kernel drops packets between stations. */
final class KernelPartitions implements Partitions {

    private final Station workers;
    private final List<Station> ways;

    /** @param at drops what {@code from} sends */
    private record Drop(Station at, Station from) {}

    /**
     * @param workers where connections of theirs come from, to any member
     * @param ways where connections of theirs go to, to each member
     */
    KernelPartitions(Station workers, List<Station> ways) {
        this.workers = workers;
        this.ways = ways;
    }

    @Override
    public String by() {
        return "kernel";
    }

    @Override
    public Cut ofWorker(Seat seat, List<Integer> members, Silence silence) {
        return between(seat.station(), members.stream().map(ways::get).toList(), silence);
    }

    @Override
    public Cut ofMember(EtcdMember member, List<EtcdMember> others, boolean fromWorkers, Silence silence) {
        List<Station> parted =
                new ArrayList<>(others.stream().map(EtcdMember::station).toList());
        if (fromWorkers) {
            parted.add(workers);
        }
        return between(member.station(), parted, silence);
    }

    private static Cut between(Station one, List<Station> others, Silence silence) {
        List<Drop> drops = new ArrayList<>();
        for (Station other : others) {
            if (silence.isDeaf()) {
                drops.add(new Drop(one, other));
            }
            if (silence.isMute()) {
                drops.add(new Drop(other, one));
            }
        }
        return new Cut(
                () -> drops.forEach(drop -> drop.at().ignore(drop.from())),
                () -> drops.forEach(drop -> drop.at().hear(drop.from())));
    }
}
