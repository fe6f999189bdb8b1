package dev.fence.effects;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A provider that does what the test says, call by call; when nothing more is said, it pays and answers. */
final class TestProvider implements EffectChannel<TestProvider.Payment, String> {

    static final String EFFECT = "payout";
    static final Duration CALL_TIMEOUT = Duration.ofSeconds(8);

    /** The time is volatile: it does not make another payment. */
    record Payment(String amount, String to, long time) {}

    /** What one call does. */
    interface Behaviour {
        Answer<String> answer(EffectKey key) throws Exception;
    }

    private final Deque<Behaviour> script = new ArrayDeque<>();
    private final Deque<Found<String>> searches = new ArrayDeque<>();
    final List<String> calls = Collections.synchronizedList(new ArrayList<>());
    final List<String> lookups = Collections.synchronizedList(new ArrayList<>());
    final Map<String, Integer> paid = new ConcurrentHashMap<>();
    private final ChannelTraits traits;
    private volatile boolean blind;

    private TestProvider(ChannelTraits traits) {
        this.traits = traits;
    }

    static TestProvider keyed() {
        return new TestProvider(ChannelTraits.keyed(EFFECT, Duration.ofHours(24), CALL_TIMEOUT)
                .withSearchCompleteAfter(Duration.ofMinutes(1)));
    }

    static TestProvider unkeyed() {
        return new TestProvider(ChannelTraits.atMostOnce(EFFECT, CALL_TIMEOUT));
    }

    /** Like a mail server: nobody can ask it what it did. */
    TestProvider withoutBooks() {
        blind = true;
        return this;
    }

    TestProvider with(ChannelTraits other) {
        return new TestProvider(other);
    }

    /** What the next call does that has no behaviour yet. */
    TestProvider then(Behaviour behaviour) {
        script.add(behaviour);
        return this;
    }

    TestProvider thenFinds(Found<String> found) {
        searches.add(found);
        return this;
    }

    Answer<String> pay(EffectKey key) {
        boolean replayed = traits.keyed() && paid.containsKey(key.text());
        if (!replayed) {
            paid.merge(key.text(), 1, Integer::sum);
        }
        return new Answer.Done<>("receipt of " + key.businessKey(), "tx-" + key.businessKey(), replayed);
    }

    int timesPaid(String businessKey) {
        return paid.getOrDefault(new EffectKey(EFFECT, businessKey).text(), 0);
    }

    @Override
    public ChannelTraits traits() {
        return traits;
    }

    @Override
    public Answer<String> execute(EffectKey key, Payment request, Duration timeLeft) throws Exception {
        calls.add(key.text());
        Behaviour behaviour = script.poll();
        return behaviour == null ? pay(key) : behaviour.answer(key);
    }

    @Override
    public Found<String> lookUp(EffectKey key, Payment request, Duration timeLeft) {
        lookups.add(key.text());
        Found<String> found = searches.poll();
        if (found != null) {
            return found;
        }
        if (blind) {
            return new Found.CannotTell<>("no search");
        }
        return paid.containsKey(key.text())
                ? new Found.Happened<>("receipt of " + key.businessKey(), "tx-" + key.businessKey())
                : new Found.Nothing<>();
    }

    @Override
    public Map<String, String> stableFields(Payment request) {
        return Map.of("amount", request.amount(), "to", request.to());
    }

    @Override
    public Codec<Payment> requests() {
        return Codec.of(p -> p.amount() + ";" + p.to() + ";" + p.time(), text -> {
            String[] parts = text.split(";", -1);
            return new Payment(parts[0], parts[1], Long.parseLong(parts[2]));
        });
    }

    @Override
    public Codec<String> results() {
        return Codec.text();
    }

    static Payment payment(String amount) {
        return new Payment(amount, "ACME", 1);
    }
}
