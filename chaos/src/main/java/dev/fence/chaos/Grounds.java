package dev.fence.chaos;

import dev.fence.fixtures.EtcdMember;
import dev.fence.fixtures.OwnNetwork;
import dev.fence.fixtures.PostgresServer;
import dev.fence.fixtures.Station;
import dev.fence.fixtures.TcpProxy;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where workers are, and where they find what they need. With an {@link OwnNetwork} each is in a namespace of its own, finds the
 * ways to each etcd member at one station, so that the kernel can part it from that alone, and the database at another, from
 * which nobody is parted. Else all are on the loopback address.
 */
final class Grounds implements AutoCloseable {

    private final @Nullable OwnNetwork network;
    private final PostgresServer postgres;
    private final @Nullable TcpProxy database;
    private final List<Station> ways;

    Grounds(@Nullable OwnNetwork network, PostgresServer postgres, int members) {
        this.network = network;
        this.postgres = postgres;
        if (network == null) {
            this.database = null;
            this.ways = Collections.nCopies(members, Station.loopback());
        } else {
            this.database =
                    TcpProxy.at(network.here().address(), Station.loopback().address(), postgres.port());
            this.ways = Stream.generate(network::moreOfHere).limit(members).toList();
        }
    }

    String jdbcUrl(String name) {
        return database == null
                ? postgres.jdbcUrl(name)
                : "jdbc:postgresql://" + database.host() + ":" + database.port() + "/" + name;
    }

    Station forWorker() {
        return network == null ? Station.loopback() : network.apart();
    }

    /** Where the ways to each member are. */
    List<Station> ways() {
        return ways;
    }

    Partitions partitions(List<EtcdMember> members, List<Seat> seats) {
        return network == null ? new ProxyPartitions(members, seats) : new KernelPartitions(network.here(), ways);
    }

    @Override
    public void close() {
        ways.forEach(Station::close);
        if (database != null) {
            database.close();
        }
    }
}
