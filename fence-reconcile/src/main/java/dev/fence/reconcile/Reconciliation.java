package dev.fence.reconcile;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Compares what we believe to have done with what the provider says that happened.
 *
 * <p>A dry run, always: it changes neither book. What it finds goes to a sink or into a report; closing effects of the journal on
 * what was found is a second, explicit step, {@link Settlement#apply}.
 *
 * <p><b>The method.</b> Both books in the order of their keys are merged like two sorted files. It holds a few entries, however long the books
 * are. A book that is not in order is sorted on disk first, within {@link TemporarySpace}.
 *
 * <p><b>What it promises.</b> Each entry of each book is in exactly one finding. {@link Finding.Matched} is said of two
 * entries only if their key stands once in each book, currencies are equal, and amounts and times are no further apart than the
 * rules permit. A book that is malformed, cut off or out of order ends it with a {@link MalformedBookException} that names book,
 * line and field, and no report is left.
 *
 * <p>Immutable; a run belongs to the thread that called for it.
 */
public final class Reconciliation {

    private static final long NEVER = Long.MAX_VALUE;

    private final Book journal;
    private final Book statement;
    private final MatchingRules rules;
    private final TemporarySpace space;
    private final long progressEvery;
    private final Progress progress;

    /** Told how far a run is, on the thread that runs it. */
    @FunctionalInterface
    public interface Progress {
        void soFar(BookTotals totals);
    }

    private Reconciliation(
            Book journal,
            Book statement,
            MatchingRules rules,
            TemporarySpace space,
            long progressEvery,
            Progress progress) {
        this.journal = journal;
        this.statement = statement;
        this.rules = rules;
        this.space = space;
        this.progressEvery = progressEvery;
        this.progress = progress;
    }

    /** Nothing is read yet. */
    public static Reconciliation compare(Book journal, Book statement, MatchingRules rules) {
        return new Reconciliation(journal, statement, rules, TemporarySpace.standard(), NEVER, totals -> {});
    }

    /** For books that are not sorted. */
    public Reconciliation withTemporarySpace(TemporarySpace space) {
        return new Reconciliation(journal, statement, rules, space, progressEvery, progress);
    }

    /**
     * The same, telling how far it is.
     *
     * @param everyEntries of both books together: 1 or more
     */
    public Reconciliation withProgress(long everyEntries, Progress progress) {
        return new Reconciliation(journal, statement, rules, space, positive(everyEntries), progress);
    }

    /**
     * Compares, and tells the sink everything that is found, matches too. What the sink was told before an exception is not the
     * whole: do not act on it.
     *
     * @throws MalformedBookException if a book is none
     * @throws IOException if a book or the temporary space cannot be read or written, or what the sink threw
     */
    public BookTotals run(FindingSink sink) throws IOException {
        try (Pass pass = open()) {
            return pass.run(new Judge.ByRules(rules), BookTotals.NONE, "", sink, watching(NEVER, (key, totals) -> {}));
        }
    }

    /**
     * Compares and remembers which effects in doubt the statement has. {@link Settlement#apply} closes them.
     *
     * @param sink is told everything as well
     * @throws MalformedBookException and IOException as for {@link #run}; then there is nothing to apply
     */
    public Settlement settlement(FindingSink sink) throws IOException {
        Settlement.Collector collector = new Settlement.Collector(statement.name());
        BookTotals totals = run(finding -> {
            collector.accept(finding);
            sink.accept(finding);
        });
        return collector.settlement(totals);
    }

    /**
     * Compares, and writes the differences to a file, which is there when it is complete and not before.
     *
     * @param file must not exist
     * @throws MalformedBookException and IOException as for {@link #run}; then there is no file
     */
    public BookTotals report(Path file, ReportFormat format) throws IOException {
        return new ReportRun(this, file, format).once();
    }

    /**
     * The same for books that take long: a run that broke off leaves {@code <file>.part} and {@code <file>.checkpoint}, and the
     * next call goes on from there. Reading again what was compared before is cheap, sorting is done anew.
     *
     * @param file must not exist
     * @param checkpointEvery so many entries of both books together: 1 or more
     * @throws IllegalStateException if the checkpoint is of other books, other rules or another format, or a book has changed
     *     since; nothing is changed
     * @throws IllegalArgumentException if a book has no fingerprint
     * @throws MalformedBookException as for {@link #run}; then the part and the checkpoint are gone
     */
    public BookTotals resumableReport(Path file, ReportFormat format, long checkpointEvery) throws IOException {
        return new ReportRun(this, file, format).resumable(positive(checkpointEvery));
    }

    private static long positive(long entries) {
        if (entries < 1) {
            throw new IllegalArgumentException("every " + entries + " entries: 1 or more is permitted");
        }
        return entries;
    }

    Pass open() throws IOException {
        return new Pass(journal, statement, space);
    }

    MatchingRules rules() {
        return rules;
    }

    /** What is to be done from time to time. */
    interface AtKey {
        void reached(String key, BookTotals totals) throws IOException;
    }

    /** Reports progress, and does something else at a rhythm of its own. */
    Pass.Watcher watching(long every, AtKey action) {
        return new Pass.Watcher() {
            private long progressAt = progressEvery;
            private long actionAt = every;

            @Override
            public void afterKey(String key, long entries, BookTotals.Tally soFar) throws IOException {
                if (entries >= progressAt) {
                    progressAt = entries + progressEvery;
                    progress.soFar(soFar.now());
                }
                if (entries >= actionAt) {
                    actionAt = entries + every;
                    action.reached(key, soFar.now());
                }
            }
        };
    }
}
