package dev.fence.examples.smtp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/** Sockets that hold few bytes of ours: what was written before the last few has reached the other machine. */
final class SmallBuffers extends SocketFactory {

    private final int bytes;

    SmallBuffers(int bytes) {
        this.bytes = bytes;
    }

    @Override
    public Socket createSocket() throws IOException {
        Socket socket = new Socket();
        socket.setSendBufferSize(bytes);
        return socket;
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return connected(null, new InetSocketAddress(host, port));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return connected(null, new InetSocketAddress(host, port));
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
        return connected(new InetSocketAddress(localHost, localPort), new InetSocketAddress(host, port));
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) throws IOException {
        return connected(new InetSocketAddress(localHost, localPort), new InetSocketAddress(host, port));
    }

    private Socket connected(@Nullable SocketAddress from, SocketAddress to) throws IOException {
        Socket socket = createSocket();
        socket.bind(from);
        socket.connect(to);
        return socket;
    }
}
