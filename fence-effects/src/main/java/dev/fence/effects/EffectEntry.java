package dev.fence.effects;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * An effect as the journal has it.
 *
 * @param key the business action
 * @param journal the name of the lease whose holder drives it
 * @param run the batch it belongs to
 * @param keyed whether the provider honoured keys when it was planned
 * @param request as the channel's codec wrote it
 * @param attempts how many calls were about to leave, ever
 * @param attemptsSinceDecision the same, since a person decided last
 * @param doubt whether an earlier attempt may still take effect
 * @param sinceFirstSent how long ago, by the database's clock at the reading, the first call was about to leave
 * @param sinceLastSent the same of the last
 * @param reference the proof
 * @param result as the channel's codec wrote it
 * @param replayed whether the provider said that it repeated an earlier answer
 * @param detail what the last step said, for people
 * @param plannedAt by the database's clock
 * @param changedAt by the database's clock
 */
public record EffectEntry(
        EffectKey key,
        String journal,
        Optional<String> run,
        boolean keyed,
        String request,
        EffectState state,
        int attempts,
        int attemptsSinceDecision,
        boolean doubt,
        Optional<Duration> sinceFirstSent,
        Optional<Duration> sinceLastSent,
        Optional<String> reference,
        Optional<String> result,
        boolean replayed,
        String detail,
        Instant plannedAt,
        Instant changedAt) {}
