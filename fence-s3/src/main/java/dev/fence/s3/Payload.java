package dev.fence.s3;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A value too large for memory, read as a stream while it is uploaded: at most two parts of it are in memory, 16 MiB for a
 * payload of up to 78 GiB and in proportion above. Immutable.
 */
public final class Payload {

    /** Opens the payload from its beginning, each time anew. */
    @FunctionalInterface
    public interface Source {
        InputStream open() throws IOException;
    }

    /** Hears how far the upload is, on the uploading thread. An exception of it ends the upload. */
    @FunctionalInterface
    public interface Progress {
        /** Both in bytes. Called after each part, and at the end with {@code sent} equal to {@code total}. */
        void sent(long sent, long total);
    }

    private final long length;
    private final Source source;
    private final Progress progress;

    private Payload(long length, Source source, Progress progress) {
        this.length = Limits.payload(length);
        this.source = source;
        this.progress = progress;
    }

    /** The file as it is now; it must not change before the call has ended. */
    public static Payload of(Path file) throws IOException {
        return new Payload(Files.size(file), () -> Files.newInputStream(file), (sent, total) -> {});
    }

    /**
     * A stream of known length. Since a body may run again, it must be possible to begin again: a source that hands out one
     * and the same stream is refused here, before anything is sent.
     *
     * @param length in bytes, 0 to 5 TiB
     * @throws IllegalArgumentException if the length is out of range, or the source gives the same stream twice
     */
    public static Payload of(long length, Source source) throws IOException {
        Payload payload = new Payload(length, source, (sent, total) -> {});
        try (InputStream first = source.open();
                InputStream second = source.open()) {
            if (first == second) {
                throw new IllegalArgumentException("the source gives the same stream twice: a stream that cannot begin"
                        + " again is not permitted, each open() must return a new one");
            }
        }
        return payload;
    }

    /** The same payload, whose upload {@code newProgress} hears of. */
    public Payload onProgress(Progress newProgress) {
        return new Payload(length, source, newProgress);
    }

    /** In bytes. */
    public long length() {
        return length;
    }

    Source source() {
        return source;
    }

    Progress progress() {
        return progress;
    }
}
