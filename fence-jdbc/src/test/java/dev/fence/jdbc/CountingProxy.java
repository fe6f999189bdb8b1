package dev.fence.jdbc;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between a client without TLS and PostgreSQL and counts round trips: how often the client sends something after it was told
 * that the server is ready. (A BEGIN that travels in front of something is answered by a ReadyForQuery of its own.)
 */
final class CountingProxy implements AutoCloseable {

    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final AtomicInteger roundTrips = new AtomicInteger();
    private final int serverPort;

    CountingProxy(int serverPort) throws IOException {
        this.serverPort = serverPort;
        start(() -> {
            while (true) {
                link(listening.accept());
            }
        });
    }

    int port() {
        return listening.getLocalPort();
    }

    int roundTrips() {
        return roundTrips.get();
    }

    private void link(Socket client) throws IOException {
        Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        sockets.addAll(List.of(client, server));
        AtomicBoolean ready = new AtomicBoolean();
        start(() -> {
            try (client;
                    server) {
                toServer(client.getInputStream(), server.getOutputStream(), ready);
            }
        });
        start(() -> {
            try (client;
                    server) {
                toClient(new DataInputStream(server.getInputStream()), client.getOutputStream(), ready);
            }
        });
    }

    private void toServer(InputStream in, OutputStream out, AtomicBoolean ready) throws IOException {
        byte[] buffer = new byte[65536]; // more than the driver sends at once
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            if (buffer[0] != 'X' && ready.getAndSet(false)) { // X: the client says good-bye
                roundTrips.incrementAndGet();
            }
            out.write(buffer, 0, n);
        }
    }

    /** Each message is a type, a length that counts itself, and the rest. */
    private static void toClient(DataInputStream in, OutputStream out, AtomicBoolean ready) throws IOException {
        while (true) {
            int type = in.readUnsignedByte();
            int length = in.readInt();
            byte[] rest = in.readNBytes(length - 4);
            if (type == 'Z') {
                ready.set(true); // before the client can see it
            }
            out.write(type);
            out.write(new byte[] {(byte) (length >> 24), (byte) (length >> 16), (byte) (length >> 8), (byte) length});
            out.write(rest);
        }
    }

    private static void start(Step step) {
        Thread thread = new Thread(
                () -> {
                    try {
                        step.run();
                    } catch (IOException e) {
                        // the link is over
                    }
                },
                "counting-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private interface Step {
        void run() throws IOException;
    }
}
