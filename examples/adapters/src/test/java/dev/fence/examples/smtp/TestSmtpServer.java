package dev.fence.examples.smtp;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** A mail server that breaks off where the test wants. What it has accepted is delivered: the recipients see it. */
final class TestSmtpServer implements AutoCloseable {

    /** What one connection does. */
    enum Fate {
        DELIVER,
        REFUSE_THE_CONNECTION,
        CUT_AFTER_RCPT,
        CUT_IN_THE_BODY,
        /** All of it has left the client, and is thrown away. */
        CUT_WITH_THE_BODY_UNREAD,
        CUT_AFTER_THE_FINAL_DOT,
        SILENT_AFTER_THE_FINAL_DOT,
        NO_SUCH_RECIPIENT,
        MAILBOX_BUSY,
        NO_DATA,
        MESSAGE_REFUSED
    }

    /** A mail as it was accepted. */
    record Delivered(String to, String messageId) {}

    private final ServerSocket socket;
    private final Queue<Fate> script = new ConcurrentLinkedQueue<>();
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    final List<Delivered> delivered = new CopyOnWriteArrayList<>();
    final AtomicInteger connections = new AtomicInteger();

    TestSmtpServer() throws IOException {
        socket = new ServerSocket();
        socket.setReceiveBufferSize(4096); // a long mail stays in the client's buffer, or does not fit in it
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Thread thread = new Thread(this::accept, "test-smtp");
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return socket.getLocalPort();
    }

    TestSmtpServer then(Fate... fates) {
        script.addAll(List.of(fates));
        return this;
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                connections.incrementAndGet();
                Fate scripted = script.poll();
                Fate fate = scripted == null ? Fate.DELIVER : scripted;
                open.add(client);
                Thread thread = new Thread(() -> talk(client, fate), "test-smtp-" + fate);
                thread.setDaemon(true);
                thread.start();
            } catch (IOException e) {
                if (!socket.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private void talk(Socket client, Fate fate) {
        try (client;
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8))) {
            if (fate == Fate.REFUSE_THE_CONNECTION) {
                say(client, "421 closing");
                return;
            }
            say(client, "220 test");
            String to = "";
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String command = line.split("[ :]", 2)[0].toUpperCase(Locale.ROOT);
                switch (command) {
                    case "RCPT" -> {
                        to = line.replaceAll(".*<(.*)>.*", "$1");
                        say(client, answerToRcpt(fate));
                        if (fate == Fate.CUT_AFTER_RCPT) {
                            return;
                        }
                    }
                    case "DATA" -> {
                        say(client, fate == Fate.NO_DATA ? "554 no" : "354 go on");
                        if (fate != Fate.NO_DATA && !takeMessage(client, in, fate, to)) {
                            return;
                        }
                    }
                    case "QUIT" -> {
                        say(client, "221 bye");
                        return;
                    }
                    default -> say(client, "250 ok");
                }
            }
        } catch (IOException e) {
            // the client is gone: so is the conversation
            open.remove(client);
        }
    }

    private static String answerToRcpt(Fate fate) {
        return switch (fate) {
            case NO_SUCH_RECIPIENT -> "550 no such user";
            case MAILBOX_BUSY -> "450 mailbox busy";
            default -> "250 ok";
        };
    }

    /** False if the conversation is over. */
    private boolean takeMessage(Socket client, BufferedReader in, Fate fate, String to) throws IOException {
        List<String> message = new ArrayList<>();
        for (String line = in.readLine(); line != null && !line.equals("."); line = in.readLine()) {
            message.add(line);
            if (fate == Fate.CUT_IN_THE_BODY && message.contains("")) {
                letTheClientWrite();
                client.setSoLinger(true, 0); // a reset, as when a machine dies
                return false;
            }
        }
        if (fate == Fate.CUT_WITH_THE_BODY_UNREAD) {
            client.setSoLinger(true, 0);
            return false;
        }
        if (fate == Fate.MESSAGE_REFUSED) {
            say(client, "552 too large");
            return true;
        }
        String id = message.stream()
                .filter(line -> line.startsWith("Message-ID: "))
                .map(line -> line.substring("Message-ID: ".length()))
                .findFirst()
                .orElse("");
        delivered.add(new Delivered(to, id));
        if (fate == Fate.CUT_AFTER_THE_FINAL_DOT) {
            return false;
        }
        if (fate == Fate.SILENT_AFTER_THE_FINAL_DOT) {
            in.readLine(); // until the client has had enough
            return false;
        }
        say(client, "250 queued as " + delivered.size());
        return true;
    }

    /** Whatever the client can write without an answer has been written: only its own buffer holds it back. */
    private static void letTheClientWrite() {
        LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
    }

    private static void say(Socket client, String line) throws IOException {
        client.getOutputStream().write((line + "\r\n").getBytes(StandardCharsets.UTF_8));
        client.getOutputStream().flush();
    }

    @Override
    public void close() throws IOException {
        socket.close();
        for (Socket client : open) {
            client.close();
        }
    }
}
