package dev.fence.reconcile;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** A file that gets its name when it is complete. Two processes do not write the same one. */
final class PartFile implements Closeable {

    private final Path part;
    private final FileChannel channel;
    private final OutputStream out;
    private boolean kept = true;

    /** Keeps the first bytes of what is there. */
    PartFile(Path part, long keep) throws IOException {
        this.part = part;
        channel = FileChannel.open(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            requireSoleWriter();
            if (channel.size() < keep) {
                throw new IOException(part + " has " + channel.size() + " bytes, and its checkpoint is of " + keep
                        + ": remove the checkpoint to begin anew");
            }
            channel.truncate(keep).position(keep);
        } catch (IOException | RuntimeException e) {
            try (channel) {
                throw e;
            }
        }
        out = new BufferedOutputStream(Channels.newOutputStream(channel));
    }

    private void requireSoleWriter() throws IOException {
        try {
            if (channel.tryLock() != null) { // given up when the channel is closed
                return;
            }
        } catch (OverlappingFileLockException e) {
            throw new IOException(part + " is being written by another run of this process", e);
        }
        throw new IOException(part + " is being written by another process");
    }

    void write(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Sees to it that what was written survives a crash. Returns how many bytes that are. */
    long durable() throws IOException {
        out.flush();
        channel.force(true);
        return channel.position();
    }

    /** It is of no use: closing it removes it. Only who writes it may say so. */
    void discard() {
        kept = false;
    }

    void moveTo(Path file) throws IOException {
        durable();
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            if (!kept) {
                Files.deleteIfExists(part); // while the lock is held
            }
        }
    }
}
