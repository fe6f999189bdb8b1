package dev.fence.effects;

import java.time.Duration;
import java.util.Map;

/**
 * The way to one provider, for one kind of effect; written by the user. Implementations are called from several threads, each
 * call on a thread of its own that is interrupted when the time is up.
 *
 * @param <Q> a request
 * @param <R> the result of a call that succeeded
 */
public interface EffectChannel<Q, R> {

    /** What the provider can do. The same at every call. */
    ChannelTraits traits();

    /**
     * Makes the call, once: no retries inside. With a provider that honours keys, {@link EffectKey#text()} goes along.
     *
     * @param timeLeft how long the answer may take; what comes later is not taken
     * @throws Exception anything: it counts as {@link Answer.Unknown}
     */
    Answer<R> execute(EffectKey key, Q request, Duration timeLeft) throws Exception;

    /**
     * Asks the provider's books whether the effect has happened. Changes nothing.
     *
     * @param timeLeft how long the answer may take
     * @throws Exception anything: it counts as {@link Found.CannotTell}
     */
    Found<R> lookUp(EffectKey key, Q request, Duration timeLeft) throws Exception;

    /**
     * What makes two requests the same action, by name of the field: amount, currency, account. What changes from try to try
     * (times, trace ids) stays out.
     */
    Map<String, String> stableFields(Q request);

    Codec<Q> requests();

    Codec<R> results();
}
