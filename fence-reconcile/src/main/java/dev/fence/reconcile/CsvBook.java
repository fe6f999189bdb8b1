package dev.fence.reconcile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A statement, or an exported journal, as a CSV file (RFC 4180) in UTF-8. One entry is one line: a line break inside a field is
 * refused, since it is what an unclosed quote looks like. The file must end with a line end; without, its last amount may have been
 * cut off.
 */
public final class CsvBook implements Book {

    private static final int BUFFER = 1 << 16;

    private final Path path;
    private final CsvLayout layout;

    private CsvBook(Path path, CsvLayout layout) {
        this.path = path;
        this.layout = layout;
    }

    public static CsvBook of(Path path, CsvLayout layout) {
        return new CsvBook(path, layout);
    }

    @Override
    public String name() {
        return path.toString();
    }

    @Override
    public boolean sorted() {
        return layout.sorted();
    }

    @Override
    public BookReader open() throws IOException {
        requireFinalLineEnd();
        return new CsvBookReader(path, layout);
    }

    private void requireFinalLineEnd() throws IOException {
        try (FileChannel file = FileChannel.open(path)) {
            if (file.size() == 0) {
                throw new MalformedBookException(name(), 0, "", "is empty: not even the names of columns", null);
            }
            ByteBuffer last = ByteBuffer.allocate(1);
            file.read(last, file.size() - 1);
            if (last.get(0) != '\n' && last.get(0) != '\r') {
                throw new MalformedBookException(
                        name(), lines(), "", "the last line has no line end: the file may be cut off", null);
            }
        }
    }

    private long lines() throws IOException {
        long lines = 1;
        byte[] buffer = new byte[BUFFER];
        try (InputStream in = Files.newInputStream(path)) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                for (int i = 0; i < n; i++) {
                    lines += buffer[i] == '\n' ? 1 : 0;
                }
            }
        }
        return lines;
    }

    /** Of the bytes of the file. */
    static String fingerprint(Path path) throws IOException {
        MessageDigest digest = sha256();
        byte[] buffer = new byte[BUFFER];
        try (InputStream in = Files.newInputStream(path)) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                digest.update(buffer, 0, n);
            }
        }
        return "sha256:" + HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
