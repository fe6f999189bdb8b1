package dev.fence.reconcile;

import dev.fence.effects.Answer;
import dev.fence.effects.ChannelTraits;
import dev.fence.effects.Codec;
import dev.fence.effects.EffectChannel;
import dev.fence.effects.EffectKey;
import dev.fence.effects.Found;
import java.time.Duration;
import java.util.Map;

/** A provider that says what the test wants, and whose books cannot be searched: only its statement says more. */
final class Scripted implements EffectChannel<String, String> {

    private final ChannelTraits traits;
    volatile Answer<String> next = new Answer.Unknown<>("nothing scripted");

    Scripted(ChannelTraits traits) {
        this.traits = traits;
    }

    @Override
    public ChannelTraits traits() {
        return traits;
    }

    @Override
    public Answer<String> execute(EffectKey key, String request, Duration timeLeft) {
        return next;
    }

    @Override
    public Found<String> lookUp(EffectKey key, String request, Duration timeLeft) {
        return new Found.CannotTell<>("no search");
    }

    @Override
    public Map<String, String> stableFields(String request) {
        return Map.of("request", request);
    }

    @Override
    public Codec<String> requests() {
        return Codec.text();
    }

    @Override
    public Codec<String> results() {
        return Codec.text();
    }
}
