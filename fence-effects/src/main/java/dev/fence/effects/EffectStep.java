package dev.fence.effects;

import dev.fence.FencingToken;
import java.time.Instant;
import java.util.Optional;

/**
 * One step in the history of an effect.
 *
 * @param at by the database's clock
 * @param databaseUser who was connected
 * @param from where it stood; empty for the first step
 * @param to where it went
 * @param evidence what the step rests on: {@code plan}, {@code call}, {@code repeat}, {@code answer}, {@code lookup}, {@code
 *     limit}, {@code again} or {@code operator}
 * @param token of the holder that took it; empty for plans and for persons
 * @param reference the proof that came with it
 * @param detail for people
 * @param operator who decided, if a person did
 * @param reason why, if a person did
 */
public record EffectStep(
        Instant at,
        String databaseUser,
        Optional<EffectState> from,
        EffectState to,
        String evidence,
        Optional<FencingToken> token,
        Optional<String> reference,
        String detail,
        Optional<String> operator,
        Optional<String> reason) {}
