package dev.fence.etcd;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.nio.NioEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** One connection for each endpoint, made when first used, all on one network thread. */
final class Connections implements AutoCloseable {

    private static final Duration CLOSE = Duration.ofSeconds(1);

    private final NioEventLoopGroup network = new NioEventLoopGroup(1, Workers.named("network"));
    private final List<ManagedChannel> channels;
    private final Set<ManagedChannel> secondChance = ConcurrentHashMap.newKeySet();

    Connections(List<URI> endpoints) {
        this.channels = endpoints.stream().map(this::connect).toList();
    }

    /**
     * The use of one endpoint until it is left; coming back to it is another use.
     *
     * @param turn makes two uses of one endpoint differ
     */
    record Route(int index, ManagedChannel channel, long turn) {}

    Route first() {
        return new Route(0, channels.get(0), 0);
    }

    /** Gives up the connection, and with it the growing pause before the next attempt to connect. */
    void drop(Route left) {
        // One that is still being made gets a second chance: in a starved process every attempt would begin anew.
        if (left.channel().getState(false) == ConnectivityState.CONNECTING && secondChance.add(left.channel())) {
            return;
        }
        secondChance.remove(left.channel());
        left.channel().enterIdle();
    }

    Route after(Route left) {
        int next = (left.index() + 1) % channels.size();
        return new Route(next, channels.get(next), left.turn() + 1);
    }

    private ManagedChannel connect(URI endpoint) {
        return NettyChannelBuilder.forAddress(endpoint.getHost(), endpoint.getPort())
                .usePlaintext()
                .eventLoopGroup(network)
                .channelType(NioSocketChannel.class)
                // Answers only complete futures, which is not worth another thread and a hand-over.
                .directExecutor()
                .offloadExecutor(Workers.perTask("resolve"))
                .build();
    }

    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
        for (ManagedChannel channel : channels) {
            Waits.through(CLOSE, nanos -> channel.awaitTermination(nanos, TimeUnit.NANOSECONDS));
        }
        var ended = network.shutdownGracefully(0, CLOSE.toMillis(), TimeUnit.MILLISECONDS);
        Waits.through(CLOSE, nanos -> ended.await(nanos, TimeUnit.NANOSECONDS));
    }
}
