package dev.fence.effects;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A provider in virtual time that loses requests and replies, answers 409, executes late, searches late, forgets keys, and refuses
 * for its own reasons. What it says is true where a real one's is: it never claims what it did not do.
 */
final class SimulatedProvider implements EffectChannel<String, String> {

    static final Duration RETENTION = Duration.ofHours(24);
    static final Duration SEARCH_DELAY = Duration.ofMinutes(1);

    private record Executed(String reference, long atNanos) {}

    private final SimulatedWorld world;
    private final boolean honoursKeys;
    private final ChannelTraits traits;
    private final Map<String, Executed> first = new HashMap<>();
    private final Map<String, Integer> times = new HashMap<>();
    private int references;

    SimulatedProvider(SimulatedWorld world, boolean declaresKeys, boolean honoursKeys) {
        this.world = world;
        this.honoursKeys = honoursKeys;
        ChannelTraits declared = declaresKeys
                ? ChannelTraits.keyed("pay", RETENTION, Duration.ofSeconds(2))
                : ChannelTraits.atMostOnce("pay", Duration.ofSeconds(2));
        this.traits = declared.withSearchCompleteAfter(SEARCH_DELAY).withAttemptCap(1000);
    }

    /** How often the effect has taken place: what the customer sees. */
    int times(EffectKey key) {
        return times.getOrDefault(key.text(), 0);
    }

    @Override
    public ChannelTraits traits() {
        return traits;
    }

    @Override
    public Answer<String> execute(EffectKey key, String request, Duration timeLeft) throws IOException {
        world.somethingMayHappen(); // between the last check of the caller and the call
        Answer<String> answer = receive(key.text());
        world.somethingMayHappen(); // between the call and its answer
        return answer;
    }

    private Answer<String> receive(String key) throws IOException {
        Executed before = honoursKeys && known(key) ? first.get(key) : null;
        return switch (world.choose(8)) {
            case 1 -> throw new IOException("the request was lost");
            case 2 -> {
                replayOrExecute(key, before);
                throw new IOException("the reply was lost");
            }
            case 3 -> new Answer.Refused<>("401, before looking at the key", false);
            case 4 -> before == null ? replayOrExecute(key, null) : new Answer.Conflict<>("409");
            case 5 -> {
                replayOrExecute(key, before);
                yield new Answer.InProgress<>("409 in progress");
            }
            case 6 -> new Answer.NotExecuted<>("connection refused");
            case 7 -> new Answer.Unknown<>("500");
            default -> replayOrExecute(key, before);
        };
    }

    private boolean known(String key) {
        Executed executed = first.get(key);
        return executed != null && world.time().nanos() - executed.atNanos() < RETENTION.toNanos();
    }

    private Answer<String> replayOrExecute(String key, @Nullable Executed before) {
        if (before != null) {
            return new Answer.Done<>(before.reference(), before.reference(), true);
        }
        String reference = "tx-" + ++references;
        times.merge(key, 1, Integer::sum);
        first.putIfAbsent(key, new Executed(reference, world.time().nanos()));
        return new Answer.Done<>(reference, reference, false);
    }

    @Override
    public Found<String> lookUp(EffectKey key, String request, Duration timeLeft) throws IOException {
        world.somethingMayHappen();
        Executed executed = first.get(key.text());
        if (executed == null) {
            return new Found.Nothing<>();
        }
        boolean indexed = world.time().nanos() - executed.atNanos() >= SEARCH_DELAY.toNanos();
        return switch (world.choose(3)) {
            case 1 -> throw new IOException("the search is down");
            case 2 -> indexed ? happened(executed) : new Found.Nothing<>();
            default -> happened(executed);
        };
    }

    private static Found<String> happened(Executed executed) {
        return new Found.Happened<>(executed.reference(), executed.reference());
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
