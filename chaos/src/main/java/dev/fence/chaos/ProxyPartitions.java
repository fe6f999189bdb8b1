package dev.fence.chaos;

import dev.fence.fixtures.Direction;
import dev.fence.fixtures.EtcdMember;
import dev.fence.fixtures.TcpProxy;
import java.util.List;

/**
 * Stands in for the kernel. Proxies answer whoever connects, hold what is sent instead of losing it, and cannot tell the members of
 * a cluster from each other: what a member sends as a leader, and what is posted to it, does not arrive; what it posts does.
 */
final class ProxyPartitions implements Partitions {

    private final List<EtcdMember> members;
    private final List<Seat> seats;

    ProxyPartitions(List<EtcdMember> members, List<Seat> seats) {
        this.members = members;
        this.seats = seats;
    }

    @Override
    public String by() {
        return "proxies";
    }

    @Override
    public Cut ofWorker(Seat seat, List<Integer> members, Silence silence) {
        List<TcpProxy> ways = members.stream().map(seat.network()::get).toList();
        return holding(ways, silence.isMute(), silence.isDeaf());
    }

    @Override
    public Cut ofMember(EtcdMember member, List<EtcdMember> others, boolean fromWorkers, Silence silence) {
        int number = members.indexOf(member);
        List<TcpProxy> ways = fromWorkers
                ? seats.stream().map(seat -> seat.network().get(number)).toList()
                : List.of();
        Cut workers = holding(ways, silence.isDeaf(), silence.isMute());
        if (others.isEmpty()) {
            return workers;
        }
        return new Cut(
                () -> {
                    member.peers().refuse();
                    member.peers().cut();
                    workers.begin().run();
                },
                () -> {
                    member.peers().pass();
                    workers.end().run();
                });
    }

    private static Cut holding(List<TcpProxy> ways, boolean toServer, boolean toClient) {
        return new Cut(
                () -> {
                    for (TcpProxy way : ways) {
                        if (toServer) {
                            way.hold(Direction.TO_SERVER);
                        }
                        if (toClient) {
                            way.hold(Direction.TO_CLIENT);
                        }
                    }
                },
                () -> ways.forEach(TcpProxy::pass));
    }
}
