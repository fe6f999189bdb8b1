package dev.fence.etcd;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.nio.NioEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;

/** One connection for each endpoint, made when first used, all on one network thread. */
final class Connections implements AutoCloseable {

    private static final Duration CLOSE = Duration.ofSeconds(1);

    private final NioEventLoopGroup network = new NioEventLoopGroup(1, Workers.named("network"));
    private final ThreadPoolExecutor resolving = Workers.perTask("resolve");
    private final List<ManagedChannel> channels;
    private final Set<ManagedChannel> secondChance = ConcurrentHashMap.newKeySet();

    /** @throws IllegalArgumentException if a certificate or key cannot be read */
    Connections(List<URI> endpoints, EtcdTls tls) {
        Optional<SslContext> secure =
                endpoints.stream().anyMatch(EtcdSettings::isSecure) ? Optional.of(context(tls)) : Optional.empty();
        this.channels =
                endpoints.stream().map(endpoint -> connect(endpoint, secure)).toList();
    }

    private static SslContext context(EtcdTls tls) {
        try {
            SslContextBuilder context = GrpcSslContexts.forClient();
            tls.trusted().map(Path::toFile).ifPresent(context::trustManager);
            tls.own()
                    .ifPresent(own -> context.keyManager(
                            own.certificate().toFile(), own.key().toFile()));
            return context.build();
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalArgumentException("the certificates or the key of " + tls + " cannot be read: " + e, e);
        }
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

    private ManagedChannel connect(URI endpoint, Optional<SslContext> secure) {
        NettyChannelBuilder channel = NettyChannelBuilder.forAddress(endpoint.getHost(), endpoint.getPort());
        secure.ifPresentOrElse(channel::sslContext, channel::usePlaintext);
        return channel.eventLoopGroup(network)
                .channelType(NioSocketChannel.class)
                // Answers only complete futures, which is not worth another thread and a hand-over.
                .directExecutor()
                .offloadExecutor(resolving)
                .build();
    }

    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
        for (ManagedChannel channel : channels) {
            Waits.through(CLOSE, nanos -> channel.awaitTermination(nanos, TimeUnit.NANOSECONDS));
        }
        Workers.keepNone(resolving);
        var ended = network.shutdownGracefully(0, CLOSE.toMillis(), TimeUnit.MILLISECONDS);
        Waits.through(CLOSE, nanos -> ended.await(nanos, TimeUnit.NANOSECONDS));
    }
}
