package dev.fence.reconcile;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Writes one report, or goes on with one that broke off. */
final class ReportRun {

    private static final long NEVER = Long.MAX_VALUE;

    private final Reconciliation reconciliation;
    private final Path file;
    private final Path part;
    private final Path checkpoint;
    private final ReportFormat format;
    private final ReportWriter words;

    ReportRun(Reconciliation reconciliation, Path file, ReportFormat format) {
        this.reconciliation = reconciliation;
        this.file = file;
        this.part = file.resolveSibling(file.getFileName() + ".part");
        this.checkpoint = file.resolveSibling(file.getFileName() + ".checkpoint");
        this.format = format;
        this.words = format.writer();
    }

    BookTotals once() throws IOException {
        requireNoReport();
        try (Pass pass = reconciliation.open()) {
            return write(pass, Optional.empty(), NEVER, "");
        }
    }

    BookTotals resumable(long every) throws IOException {
        requireNoReport();
        try (Pass pass = reconciliation.open()) {
            String of = String.join(
                    "\n",
                    List.of(
                            pass.journalFingerprint(),
                            pass.statementFingerprint(),
                            reconciliation.rules().canonical(),
                            format.name()));
            Optional<Checkpoint> from = Checkpoint.read(checkpoint);
            from.ifPresent(found -> requireSame(found.of(), of));
            return write(pass, from, every, of);
        }
    }

    private void requireNoReport() throws IOException {
        if (Files.exists(file)) {
            throw new FileAlreadyExistsException(file + ": a report is not overwritten");
        }
    }

    private void requireSame(String before, String now) {
        String[] was = before.split("\n", -1);
        String[] is = now.split("\n", -1);
        String[] names = {"the journal", "the statement", "the rules", "the format"};
        for (int i = 0; i < names.length; i++) {
            if (i >= was.length || !was[i].equals(is[i])) {
                throw new IllegalStateException(
                        names[i] + " changed since checkpoint " + checkpoint + " was written: remove it to begin anew");
            }
        }
    }

    private BookTotals write(Pass pass, Optional<Checkpoint> from, long every, String of) throws IOException {
        BookTotals before = from.map(Checkpoint::totals).orElse(BookTotals.NONE);
        try (PartFile out = new PartFile(part, from.map(Checkpoint::reportBytes).orElse(0L))) {
            try {
                BookTotals totals = write(pass, from, every, of, before, out);
                Files.deleteIfExists(checkpoint);
                return totals;
            } catch (MalformedBookException e) {
                out.discard();
                Files.deleteIfExists(checkpoint);
                throw e;
            } catch (IOException | RuntimeException e) {
                if (every == NEVER) {
                    out.discard(); // nobody goes on with it
                }
                throw e;
            }
        }
    }

    private BookTotals write(
            Pass pass, Optional<Checkpoint> from, long every, String of, BookTotals before, PartFile out)
            throws IOException {
        if (from.isEmpty()) {
            out.write(words.begin());
        }
        boolean[] first = {before.differences() == 0};
        BookTotals totals = pass.run(
                new Judge.ByRules(reconciliation.rules()),
                before,
                from.map(Checkpoint::lastKey).orElse(""),
                finding -> {
                    if (finding.kind().isDifference()) {
                        out.write(words.finding(finding, first[0]));
                        first[0] = false;
                    }
                },
                reconciliation.watching(
                        every, (key, soFar) -> new Checkpoint(of, key, out.durable(), soFar).write(checkpoint)));
        out.write(words.end(totals));
        out.moveTo(file);
        return totals;
    }
}
