package dev.fence.demo;

import static dev.fence.demo.Timeline.Lane.ETCD;
import static dev.fence.demo.Timeline.Lane.POSTGRESQL;

import dev.fence.demo.Timeline.Lane;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * The story in two acts. Worker A is stopped for longer than its lease lives, worker B takes over, A goes on as if nothing
 * had happened: once before its transaction, once inside it.
 */
final class Story {

    /** How long B's seal may take: the longest that PostgreSQL lets a transaction of A's stay open. */
    static final Duration SEAL_BOUND = Duration.ofSeconds(5);

    private static final Duration PAUSE = Worker.TTL.plusSeconds(1);

    private final WorkerProcess a;
    private final WorkerProcess b;
    private final boolean fenced;
    private final Timeline timeline;

    private final List<Audit.Posting> acknowledged = new ArrayList<>();
    private final List<String> staleOutcomes = new ArrayList<>();
    private long staleToken;
    private long currentToken;

    Story(WorkerProcess a, WorkerProcess b, boolean fenced, Timeline timeline) {
        this.a = a;
        this.b = b;
        this.fenced = fenced;
        this.timeline = timeline;
    }

    void tell() throws IOException, InterruptedException {
        must(a.answer());
        must(b.answer());
        timeline.chapter("Act 1: A is stopped before its transaction");
        beforeTheTransaction();
        timeline.chapter("Act 2: A is stopped inside its transaction");
        insideTheTransaction();
    }

    private void beforeTheTransaction() throws IOException, InterruptedException {
        staleToken = takeOver(Lane.A, must(a.ask("acquire")));
        pay(Lane.A);
        Reply next = must(a.ask("read"));
        timeline.event(Lane.A, "read", staleToken, "reads: invoice " + next.invoice() + " is next");

        long stoppedNanos = stopAWhileBWaits();
        currentToken = takeOver(Lane.B, must(b.answer()));
        pay(Lane.B);
        continueA(stoppedNanos);

        late("with its lease", a.ask("pay"));
        late("in a thread that has the grant", a.ask("pay in a thread that has the grant"));
        release(Lane.B);
    }

    private void insideTheTransaction() throws IOException, InterruptedException {
        long token = takeOver(Lane.A, must(a.ask("acquire")));
        must(a.ask("read"));
        Reply halfway = must(a.ask("pay, and wait after the first row"));
        timeline.event(Lane.A, "first-row", token, "writes the first row of invoice " + halfway.invoice());

        long stoppedNanos = stopAWhileBWaits();
        takeOver(Lane.B, must(b.answer()));
        pay(Lane.B);
        continueA(stoppedNanos);

        late("the rest of its transaction", a.ask("go on"));
        release(Lane.B);
    }

    /** The lease was granted: seal, so that every older holder is out. */
    private long takeOver(Lane lane, Reply granted) throws IOException, InterruptedException {
        timeline.event(ETCD, "granted", granted.token(), "payouts/EU to " + lane + ", token " + granted.token());
        Reply sealed = must(worker(lane).ask("seal"));
        if (!fenced) {
            timeline.event(lane, "trusts-lease", granted.token(), "asks its lease, which says: held");
            return granted.token();
        }
        if (sealed.millis() > SEAL_BOUND.toMillis()) {
            throw new IOException("the seal took " + sealed.millis() + " ms, more than " + SEAL_BOUND);
        }
        timeline.event(
                POSTGRESQL,
                "sealed",
                granted.token(),
                "guard of ledger/EU: token " + granted.token() + ", in " + sealed.millis() + " ms");
        return granted.token();
    }

    private void pay(Lane lane) throws IOException, InterruptedException {
        must(worker(lane).ask("read"));
        Reply paid = must(worker(lane).ask("pay"));
        acknowledge(lane, paid);
        timeline.event(lane, "paid", paid.token(), "pays invoice " + paid.invoice());
    }

    private long stopAWhileBWaits() throws IOException {
        b.tell("acquire");
        timeline.event(Lane.B, "waiting", 0, "asks for payouts/EU and waits");
        a.pause();
        timeline.event(Lane.A, "stopped", 0, "#### stopped (SIGSTOP)");
        return System.nanoTime();
    }

    private void continueA(long stoppedNanos) throws InterruptedException {
        long left = PAUSE.toNanos() - (System.nanoTime() - stoppedNanos);
        TimeUnit.NANOSECONDS.sleep(left); // the length of the pause is the story, not a condition
        double seconds = (System.nanoTime() - stoppedNanos) / 1e9;
        a.resume();
        timeline.event(
                Lane.A,
                "continued",
                0,
                String.format(Locale.ROOT, "#### goes on after %.1f s, as if nothing had happened", seconds));
    }

    private void late(String how, Reply reply) {
        staleOutcomes.add(reply.outcome());
        timeline.event(Lane.A, "late-write", reply.token(), "late write, " + how + ": " + reply.outcome());
        switch (reply.outcome()) {
            case Reply.APPLIED -> {
                acknowledge(Lane.A, reply);
                timeline.event(
                        POSTGRESQL, "accepted", reply.token(), "takes it: invoice " + reply.invoice() + " again");
            }
            case "LeaseLostException" ->
                timeline.event(Lane.A, "nothing-sent", reply.token(), "its own clock says no: nothing was sent");
            case "BusyException" ->
                timeline.event(
                        POSTGRESQL, "cut-off", reply.token(), "has cut that transaction off: nothing of it is there");
            default -> timeline.event(POSTGRESQL, "refused", reply.token(), "refuses token " + reply.token());
        }
    }

    private void release(Lane lane) throws IOException, InterruptedException {
        Reply released = must(worker(lane).ask("release"));
        timeline.event(lane, "released", released.token(), "gives payouts/EU back");
    }

    private void acknowledge(Lane lane, Reply paid) {
        acknowledged.add(new Audit.Posting(paid.invoice(), paid.token(), lane.name()));
    }

    private WorkerProcess worker(Lane lane) {
        return lane == Lane.A ? a : b;
    }

    private static Reply must(Reply reply) throws IOException {
        if (!reply.isApplied()) {
            throw new IOException("the story went wrong: " + reply.outcome() + ": " + reply.text());
        }
        return reply;
    }

    List<Audit.Posting> acknowledged() {
        return acknowledged;
    }

    /** How A's three late writes ended, in the order of the story. */
    List<String> staleOutcomes() {
        return staleOutcomes;
    }

    /** A's token in the first act. */
    long staleToken() {
        return staleToken;
    }

    /** B's token in the first act. */
    long currentToken() {
        return currentToken;
    }
}
