package dev.fence.reconcile;

import dev.fence.reconcile.Finding.Kind;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * How far a report is: everything about the keys up to {@code lastKey} is in the first {@code reportBytes} bytes of it.
 *
 * @param of what is compared with what: fingerprints of both books, the rules, the format
 * @param totals so far
 */
record Checkpoint(String of, String lastKey, long reportBytes, BookTotals totals) {

    private static final String VERSION = "1";

    void write(Path file) throws IOException {
        Properties text = new Properties();
        text.setProperty("version", VERSION);
        text.setProperty("of", of);
        text.setProperty("lastKey", lastKey);
        text.setProperty("reportBytes", String.valueOf(reportBytes));
        text.setProperty("journalEntries", String.valueOf(totals.journalEntries()));
        text.setProperty("statementEntries", String.valueOf(totals.statementEntries()));
        totals.findings().forEach((kind, count) -> text.setProperty(kind.name(), String.valueOf(count)));
        Path next = file.resolveSibling(file.getFileName() + ".next");
        try (Writer out = Files.newBufferedWriter(next)) {
            text.store(out, null);
        }
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    /** @throws IOException also if it is not a checkpoint of this version */
    static Optional<Checkpoint> read(Path file) throws IOException {
        Properties text = new Properties();
        try (Reader in = Files.newBufferedReader(file)) {
            text.load(in);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        try {
            if (!VERSION.equals(text.getProperty("version"))) {
                throw new IOException("checkpoint " + file + " is of version " + text.getProperty("version")
                        + ", and this is version " + VERSION + ": remove it to begin anew");
            }
            Map<Kind, Long> findings = new EnumMap<>(Kind.class);
            for (Kind kind : Kind.values()) {
                findings.put(kind, Long.parseLong(text.getProperty(kind.name())));
            }
            return Optional.of(new Checkpoint(
                    text.getProperty("of", ""),
                    text.getProperty("lastKey", ""),
                    Long.parseLong(text.getProperty("reportBytes")),
                    new BookTotals(
                            Long.parseLong(text.getProperty("journalEntries")),
                            Long.parseLong(text.getProperty("statementEntries")),
                            findings)));
        } catch (NumberFormatException e) {
            throw new IOException("checkpoint " + file + " is damaged: remove it to begin anew", e);
        }
    }
}
