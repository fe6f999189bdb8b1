package dev.fence.effects;

import dev.fence.BusyException;
import dev.fence.OutcomeUnknownException;
import dev.fence.effects.Journal.Evidence;
import dev.fence.effects.Journal.MovedMeanwhileException;
import dev.fence.effects.Journal.Step;
import java.time.Duration;
import java.util.Optional;

/**
 * Drives one effect as far as it goes in one run. The order is the protocol: look before a call that may have been made; write
 * down that a call leaves before it leaves; check the lease after that and before the call; write down the answer.
 *
 * <p>Whatever breaks off in between leaves the effect {@link EffectState#SENT}, and whoever comes next begins by looking.
 */
final class Execution<Q, R> {

    /** In one run. An outage of the provider must not use up the attempts of a whole batch. */
    private static final int CALLS_IN_A_RUN = 3;

    private static final int RECORDING_TRIES = 3;
    private static final Duration FIRST_BACKOFF = Duration.ofMillis(100);

    private final Journal journal;
    private final Provider<Q, R> provider;
    private final LeaseBudget budget;
    private final Patience patience;
    private int calls;

    Execution(Journal journal, Provider<Q, R> provider, LeaseBudget budget, Patience patience) {
        this.journal = journal;
        this.provider = provider;
        this.budget = budget;
        this.patience = patience;
    }

    Outcome<R> drive(EffectEntry from) throws InterruptedException {
        EffectEntry entry = from;
        for (; ; ) {
            try {
                switch (entry.state()) {
                    case DONE, REFUSED, MANUAL -> {
                        return standing(entry);
                    }
                    case NOT_EXECUTED ->
                        entry = capReached(entry)
                                ? manual(entry, Evidence.LIMIT, "no attempt is left: " + entry.detail())
                                : journal.move(entry, new Step(EffectState.PLANNED, Evidence.AGAIN, entry.detail()));
                    case PLANNED -> {
                        if (calls == CALLS_IN_A_RUN) {
                            return new Outcome.Planned<>(entry.detail());
                        }
                        if (!budget.comesToCover(provider.callTimeout())) {
                            return new Outcome.Planned<>("not started: " + tooShort());
                        }
                        entry = call(entry, Evidence.CALL);
                    }
                    case SENT, UNKNOWN -> {
                        Optional<EffectEntry> looked = look(entry);
                        if (looked.isEmpty()) {
                            return new Outcome.Unknown<>(entry.detail());
                        }
                        entry = looked.get();
                    }
                }
            } catch (MovedMeanwhileException e) {
                entry = journal.read(entry.key()); // a person decided: that counts
            }
        }
    }

    /** Finds out about a call that may have been made. Empty if there is no more to do in this run. */
    private Optional<EffectEntry> look(EffectEntry entry) throws InterruptedException {
        Found<R> found = provider.lookUp(entry);
        if (found instanceof Found.Happened<R> happened) {
            return Optional.of(confirmed(entry, happened));
        }
        String said = found instanceof Found.CannotTell<R> blind ? blind.detail() : "the provider's books have nothing";
        boolean nothing = found instanceof Found.Nothing<R> && provider.searchIsComplete(entry);
        if (!entry.keyed() || !provider.traits().keyed()) {
            // Never executable by a lookup alone: a former holder that marked it sent is perhaps only paused.
            return nothing || !provider.canSearch()
                    ? Optional.of(manual(entry, Evidence.LOOKUP, "the provider knows no keys, and " + said))
                    : Optional.empty();
        }
        if (!provider.stillKnowsTheKey(entry)) {
            return Optional.of(manual(entry, Evidence.LIMIT, "the provider may have forgotten the key, and " + said));
        }
        if (capReached(entry)) {
            return Optional.of(
                    manual(entry, Evidence.LIMIT, "no attempt is left, and " + said + "; " + entry.detail()));
        }
        if (calls == CALLS_IN_A_RUN) {
            return Optional.empty();
        }
        if (nothing) {
            return Optional.of(move(entry, new Step(EffectState.NOT_EXECUTED, Evidence.LOOKUP, said)));
        }
        return budget.comesToCover(provider.callTimeout())
                ? Optional.of(call(entry, Evidence.REPEAT))
                : Optional.empty();
    }

    /** Closes an effect on what was found in the provider's books, if it waits for that; else leaves it where it stands. */
    Outcome<R> confirm(EffectEntry entry, Found.Happened<R> found) {
        EffectEntry now = entry;
        if (entry.state() == EffectState.SENT || entry.state() == EffectState.UNKNOWN) {
            try {
                now = confirmed(entry, found);
            } catch (MovedMeanwhileException e) {
                now = journal.read(entry.key());
            }
        }
        return standing(now);
    }

    private EffectEntry confirmed(EffectEntry entry, Found.Happened<R> found) {
        return move(
                entry,
                new Step(
                        EffectState.DONE,
                        Evidence.LOOKUP,
                        found.reference(),
                        provider.channel().results().write(found.result()),
                        false,
                        "found in the provider's books"));
    }

    Outcome<R> standing(EffectEntry entry) {
        return switch (entry.state()) {
            case DONE -> {
                Optional<R> result = entry.result().map(provider.channel().results()::read);
                yield new Outcome.Done<>(result, entry.reference().orElse(""), entry.replayed());
            }
            case REFUSED -> new Outcome.Refused<>(entry.detail());
            case MANUAL -> new Outcome.Manual<>(entry.detail());
            case SENT, UNKNOWN -> new Outcome.Unknown<>(entry.detail());
            case PLANNED, NOT_EXECUTED -> new Outcome.Planned<>(entry.detail());
        };
    }

    private EffectEntry call(EffectEntry entry, Evidence evidence) throws InterruptedException {
        if (calls > 0) {
            patience.pause(FIRST_BACKOFF.multipliedBy(1L << (calls - 1)));
        }
        EffectEntry sent = move(entry, new Step(EffectState.SENT, evidence, "a call leaves"));
        calls++;
        // Writing it down can have taken long. From here on only a pause can come between, which nobody can see.
        if (!budget.covers(provider.callTimeout())) {
            return record(sent, new Answer.NotExecuted<>("not called: " + tooShort()));
        }
        Answer<R> answer;
        try {
            answer = provider.execute(sent);
        } catch (InterruptedException e) {
            record(sent, new Answer.Unknown<>("interrupted while the call was under way"));
            throw e;
        }
        return record(sent, answer);
    }

    /** A journal that is busy for a moment must not turn an answer into a question. */
    private EffectEntry record(EffectEntry sent, Answer<R> answer) throws InterruptedException {
        Step step = provider.stepFor(sent, answer);
        for (int tries = 1; ; tries++) {
            try {
                return move(sent, step);
            } catch (BusyException e) {
                if (tries == RECORDING_TRIES) {
                    throw e; // it stays sent: the next run looks
                }
                patience.pause(FIRST_BACKOFF.multipliedBy(1L << tries));
            }
        }
    }

    private EffectEntry move(EffectEntry entry, Step step) {
        try {
            return journal.move(entry, step);
        } catch (OutcomeUnknownException e) {
            EffectEntry now = journal.read(entry.key());
            if (now.state() == step.to() && now.changedAt().isAfter(entry.changedAt())) {
                return now;
            }
            throw e; // it may still land; nothing that depends on it may be done
        }
    }

    private EffectEntry manual(EffectEntry entry, Evidence evidence, String why) {
        return move(entry, new Step(EffectState.MANUAL, evidence, why));
    }

    private boolean capReached(EffectEntry entry) {
        return entry.attemptsSinceDecision() >= provider.traits().attemptCap();
    }

    private String tooShort() {
        Duration needed = provider.callTimeout();
        return budget + ", a call may take " + needed;
    }
}
