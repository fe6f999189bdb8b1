package dev.fence.etcd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Records where virtual threads keep their carrier while they wait, as the JVM itself reports it; before JDK 21 there are none. */
final class PinnedThreads implements AutoCloseable {

    private final Recording recording = new Recording();

    private PinnedThreads() {}

    static PinnedThreads record() {
        PinnedThreads pinned = new PinnedThreads();
        pinned.recording.enable("jdk.VirtualThreadPinned").withoutThreshold().withStackTrace();
        pinned.recording.start();
        return pinned;
    }

    /** Each with its stack trace. */
    List<String> soFar() throws IOException {
        Path file = Files.createTempFile("fence-pinned", ".jfr");
        try {
            recording.dump(file);
            return RecordingFile.readAllEvents(file).stream()
                    .map(RecordedEvent::toString)
                    .toList();
        } finally {
            Files.delete(file);
        }
    }

    /** Waits where no virtual thread can let go of its carrier. */
    static void pin() {
        Pinning.touch();
    }

    /** The JVM runs its initializer in a native frame. */
    private static final class Pinning {
        static {
            try {
                TimeUnit.MILLISECONDS.sleep(50);
            } catch (InterruptedException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        static void touch() {}
    }

    @Override
    public void close() {
        recording.close();
    }
}
