package dev.fence.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Stands between a client and PostgreSQL. Once told to, it lets the next COMMIT pass and then loses everything that the
 * server says, or loses the COMMIT itself; the link stays silent or is cut.
 */
final class CuttingProxy implements AutoCloseable {

    /** What happens to the next message that holds a COMMIT, and to the link after it. */
    enum Fault {
        NONE,
        LOSE_THE_ANSWER_AND_FALL_SILENT,
        LOSE_THE_ANSWER_AND_CUT,
        LOSE_THE_COMMIT_AND_CUT
    }

    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final int serverPort;
    private volatile String text = "";
    private volatile Fault fault = Fault.NONE;

    CuttingProxy(int serverPort) throws IOException {
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

    void atTheNextCommit(Fault fault) {
        atTheNext("COMMIT\0", fault);
    }

    /** Takes a message with {@code text} for the one that commits. */
    void atTheNext(String text, Fault fault) {
        this.text = text;
        this.fault = fault;
    }

    private void link(Socket client) throws IOException {
        Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        sockets.addAll(List.of(client, server));
        boolean[] deaf = {false};
        start(() -> toServer(client, server, deaf));
        start(() -> toClient(server, client, deaf));
    }

    private void toServer(Socket client, Socket server, boolean[] deaf) throws IOException {
        InputStream in = client.getInputStream();
        OutputStream out = server.getOutputStream();
        byte[] buffer = new byte[65536];
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            Fault now = new String(buffer, 0, n, StandardCharsets.ISO_8859_1).contains(text) ? fault : Fault.NONE;
            synchronized (deaf) {
                deaf[0] |= now != Fault.NONE;
            }
            if (now != Fault.LOSE_THE_COMMIT_AND_CUT) {
                out.write(buffer, 0, n);
                out.flush();
            }
            if (now == Fault.LOSE_THE_COMMIT_AND_CUT) {
                client.close();
                server.close();
            }
        }
    }

    private void toClient(Socket server, Socket client, boolean[] deaf) throws IOException {
        InputStream in = server.getInputStream();
        OutputStream out = client.getOutputStream();
        byte[] buffer = new byte[65536];
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            synchronized (deaf) {
                if (!deaf[0]) {
                    out.write(buffer, 0, n);
                    out.flush();
                } else if (fault == Fault.LOSE_THE_ANSWER_AND_CUT) {
                    client.close(); // the server has answered: it has committed
                    return;
                }
            }
        }
    }

    private void start(Step step) {
        Thread thread = new Thread(
                () -> {
                    try {
                        step.run();
                    } catch (IOException e) {
                        // the link is over
                    }
                },
                "cutting-proxy");
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
