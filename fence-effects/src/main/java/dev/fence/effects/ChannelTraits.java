package dev.fence.effects;

import dev.fence.spi.Checks;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a provider can do, as far as its own documentation promises it. Too little costs work for people; too much costs money.
 *
 * @param effect the name of the effect, part of every key: 1 to 255 UTF-8 bytes
 * @param keyRetention for how long the provider knows a key again, from the first call on; empty if it honours no keys, and
 *     then each effect is called at most once; 1 s to 10 years
 * @param searchCompleteAfter how long after a call ended its result is in the provider's books for sure; empty if there is no search,
 *     and then what is unknown without keys goes to a person at once; 0 to 30 days
 * @param callTimeout how long a call or a lookup may take; a call starts only if the lease is good for longer; 1 ms to 10 min
 * @param attemptCap how many calls before a person has to look; 1 to 1000
 * @param keyRule what the provider permits as a key
 */
public record ChannelTraits(
        String effect,
        Optional<Duration> keyRetention,
        Optional<Duration> searchCompleteAfter,
        Duration callTimeout,
        int attemptCap,
        Pattern keyRule) {

    private static final int DEFAULT_ATTEMPTS = 5;
    private static final int MAX_ATTEMPTS = 1000;
    private static final Pattern ANY_KEY = Pattern.compile("[!-~]{1,255}");

    /** @throws IllegalArgumentException if a value is out of its range, or the provider does not take keys as they are here */
    public ChannelTraits {
        String key = new EffectKey(effect, "any").text();
        if (!keyRule.matcher(key).matches()) {
            throw new IllegalArgumentException("keys such as " + key + " break the provider's rule " + keyRule
                    + ": it must permit 32 lower-case hexadecimal digits");
        }
        keyRetention.ifPresent(d -> Checks.duration("keyRetention", d, Duration.ofSeconds(1), Duration.ofDays(3653)));
        searchCompleteAfter.ifPresent(
                d -> Checks.duration("searchCompleteAfter", d, Duration.ZERO, Duration.ofDays(30)));
        Checks.duration("callTimeout", callTimeout, Duration.ofMillis(1), Duration.ofMinutes(10));
        if (attemptCap < 1 || attemptCap > MAX_ATTEMPTS) {
            throw new IllegalArgumentException(
                    "attemptCap " + attemptCap + " is out of range: 1 to " + MAX_ATTEMPTS + " is permitted");
        }
    }

    /** A provider that knows keys again for {@code keyRetention}; no search, 5 attempts. */
    public static ChannelTraits keyed(String effect, Duration keyRetention, Duration callTimeout) {
        return new ChannelTraits(
                effect, Optional.of(keyRetention), Optional.empty(), callTimeout, DEFAULT_ATTEMPTS, ANY_KEY);
    }

    /** A provider that honours no keys: at most one call; no search. */
    public static ChannelTraits atMostOnce(String effect, Duration callTimeout) {
        return new ChannelTraits(effect, Optional.empty(), Optional.empty(), callTimeout, DEFAULT_ATTEMPTS, ANY_KEY);
    }

    public ChannelTraits withSearchCompleteAfter(Duration searchCompleteAfter) {
        return new ChannelTraits(
                effect, keyRetention, Optional.of(searchCompleteAfter), callTimeout, attemptCap, keyRule);
    }

    public ChannelTraits withAttemptCap(int attemptCap) {
        return new ChannelTraits(effect, keyRetention, searchCompleteAfter, callTimeout, attemptCap, keyRule);
    }

    public ChannelTraits withKeyRule(Pattern keyRule) {
        return new ChannelTraits(effect, keyRetention, searchCompleteAfter, callTimeout, attemptCap, keyRule);
    }

    boolean keyed() {
        return keyRetention.isPresent();
    }
}
