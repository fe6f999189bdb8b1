package dev.fence.reconcile;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** A temporary file of runs, one behind the other; each run is in order. The file's name is gone as soon as it is open. */
final class Spool implements Closeable {

    private static final int BUFFER = 1 << 16;

    private final FileChannel channel;
    private final Path path;
    private final String book;
    private final TemporarySpace space;
    private long end;

    /** A part of the file. */
    record Run(long from, long until, long entries) {}

    Spool(String book, TemporarySpace space) throws IOException {
        this.book = book;
        this.space = space;
        path = Files.createTempFile(space.folder(), "fence-sort-", ".tmp"); // for its owner's eyes alone
        channel = FileChannel.open(
                path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        dropName();
    }

    private void dropName() throws IOException {
        try {
            Files.deleteIfExists(path);
        } catch (FileSystemException e) {
            // Systems that cannot delete what is open do it when the channel is closed.
            if (!Files.exists(path)) {
                throw e;
            }
        }
    }

    /**
     * Appends a run.
     *
     * @throws IOException also if it would take more than permitted
     */
    Run append(Iterator<BookEntry> inOrder) throws IOException {
        long from = end;
        long entries = 0;
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(new Appender(), BUFFER));
        for (; inOrder.hasNext(); entries++) {
            SpooledEntry.write(inOrder.next(), out);
        }
        out.flush();
        return new Run(from, end, entries);
    }

    RunReader read(Run run) {
        return new RunReader(run);
    }

    @Override
    public void close() throws IOException {
        channel.close();
        Files.deleteIfExists(path);
    }

    /** Reads one run. */
    final class RunReader {

        private final DataInputStream in;
        private long left;

        private RunReader(Run run) {
            in = new DataInputStream(new BufferedInputStream(new Region(run), BUFFER));
            left = run.entries();
        }

        @Nullable
        BookEntry next() throws IOException {
            return left-- > 0 ? SpooledEntry.read(in) : null;
        }
    }

    private final class Appender extends OutputStream {

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (end + length > space.maxBytes()) {
                throw new IOException("book \"" + book + "\": sorting it takes more than " + space.maxBytes()
                        + " bytes in " + space.folder() + "; give it more, or a book that is sorted");
            }
            for (ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length); buffer.hasRemaining(); ) {
                end += channel.write(buffer, end);
            }
        }
    }

    private final class Region extends InputStream {

        private final long until;
        private long position;

        private Region(Run run) {
            position = run.from();
            until = run.until();
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (position >= until) {
                return -1;
            }
            int wanted = (int) Math.min(length, until - position);
            int got = channel.read(ByteBuffer.wrap(bytes, offset, wanted), position);
            position += Math.max(got, 0);
            return got;
        }
    }
}
