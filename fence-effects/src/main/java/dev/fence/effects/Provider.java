package dev.fence.effects;

import dev.fence.effects.Journal.Evidence;
import dev.fence.effects.Journal.Step;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** A channel as the journal sees it: bounded calls, and nothing that comes back is taken for more than it says. */
final class Provider<Q, R> {

    private final EffectChannel<Q, R> channel;
    private final ChannelTraits traits;
    private final Patience patience;

    Provider(EffectChannel<Q, R> channel, Patience patience) {
        this.channel = channel;
        this.patience = patience;
        this.traits = channel.traits();
    }

    EffectChannel<Q, R> channel() {
        return channel;
    }

    ChannelTraits traits() {
        return traits;
    }

    Duration callTimeout() {
        return traits.callTimeout();
    }

    /** The request is always the one that was planned first: a repeat says what the first call said. */
    Answer<R> execute(EffectEntry entry) throws InterruptedException {
        Q request = channel.requests().read(entry.request());
        try {
            return Objects.requireNonNull(
                    patience.await("call", callTimeout(), () -> channel.execute(entry.key(), request, callTimeout())));
        } catch (TimeoutException e) {
            return new Answer.Unknown<>("no answer within " + callTimeout());
        } catch (ExecutionException e) {
            return new Answer.Unknown<>(String.valueOf(e.getCause()));
        } catch (NullPointerException e) {
            return new Answer.Unknown<>("the channel answered null");
        }
    }

    Found<R> lookUp(EffectEntry entry) throws InterruptedException {
        Q request = channel.requests().read(entry.request());
        try {
            return Objects.requireNonNull(
                    patience.await("lookup", callTimeout(), () -> channel.lookUp(entry.key(), request, callTimeout())));
        } catch (TimeoutException e) {
            return new Found.CannotTell<>("the lookup had no answer within " + callTimeout());
        } catch (ExecutionException e) {
            return new Found.CannotTell<>("the lookup failed: " + e.getCause());
        } catch (NullPointerException e) {
            return new Found.CannotTell<>("the lookup answered null");
        }
    }

    boolean canSearch() {
        return traits.searchCompleteAfter().isPresent();
    }

    /** Whether what the last call did must be in the books by now. */
    boolean searchIsComplete(EffectEntry entry) {
        return traits.searchCompleteAfter()
                .flatMap(after -> entry.sinceLastSent()
                        .map(age -> age.compareTo(callTimeout().plus(after)) > 0))
                .orElse(false);
    }

    /** Whether a repeat, which may take as long as any call, still meets a provider that knows the key. */
    boolean stillKnowsTheKey(EffectEntry entry) {
        Duration age = entry.sinceFirstSent().orElse(Duration.ZERO);
        return traits.keyRetention()
                .map(retention -> age.plus(callTimeout()).compareTo(retention) < 0)
                .orElse(false);
    }

    /** What an answer means for the effect, which may have been called before. */
    Step stepFor(EffectEntry sent, Answer<R> answer) {
        if (answer instanceof Answer.Done<R> done) {
            return new Step(
                    EffectState.DONE,
                    Evidence.ANSWER,
                    done.reference(),
                    channel.results().write(done.result()),
                    done.replayed(),
                    "answered by the provider");
        }
        if (answer instanceof Answer.Refused<R> refused) {
            return refused.replayed() || !sent.doubt()
                    ? new Step(EffectState.REFUSED, Evidence.ANSWER, null, null, refused.replayed(), refused.reason())
                    : unknown("refused, which says nothing about an earlier attempt: " + refused.reason());
        }
        if (answer instanceof Answer.NotExecuted<R> not) {
            return sent.doubt()
                    ? unknown("not executed, which says nothing about an earlier attempt: " + not.reason())
                    : new Step(EffectState.NOT_EXECUTED, Evidence.ANSWER, not.reason());
        }
        if (answer instanceof Answer.InProgress<R> busy) {
            return unknown("in progress: " + busy.detail());
        }
        if (answer instanceof Answer.Conflict<R> conflict) {
            return unknown("the key is in use: " + conflict.detail());
        }
        return unknown(answer instanceof Answer.Unknown<R> open ? open.detail() : answer.toString());
    }

    private static Step unknown(String detail) {
        return new Step(EffectState.UNKNOWN, Evidence.ANSWER, detail);
    }
}
