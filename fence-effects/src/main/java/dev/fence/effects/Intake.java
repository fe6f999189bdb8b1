package dev.fence.effects;

import dev.fence.effects.Journal.Plan;
import dev.fence.effects.Journal.Planned;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/** What goes into the journal, and whether what is there already is the same. */
final class Intake<Q> {

    private final EffectChannel<Q, ?> channel;
    private final String journal;
    private final Map<String, Q> requests = new LinkedHashMap<>();
    private final List<Plan> plans = new ArrayList<>();

    Intake(EffectChannel<Q, ?> channel, String journal) {
        this.channel = channel;
        this.journal = journal;
    }

    /**
     * Takes a request up.
     *
     * @throws IllegalArgumentException if the key or the request is not fit for the journal
     */
    Intake<Q> add(String businessKey, Q request) {
        EffectKey key = new EffectKey(channel.traits().effect(), businessKey);
        String text = channel.requests().write(request);
        if (text.length() > Journal.MAX_TEXT_LENGTH || text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("the request of effect " + key + " is written as " + text.length()
                    + " characters: at most " + Journal.MAX_TEXT_LENGTH + " are permitted, and none of them U+0000");
        }
        requests.put(key.businessKey(), request);
        plans.add(new Plan(key, text));
        return this;
    }

    List<Plan> plans() {
        return plans;
    }

    /**
     * Throws if what the journal has is something else.
     *
     * @param found what the journal has for the plans, and the rest of the run
     * @throws PayloadMismatchException if the items or the payload differ
     */
    void requireSame(List<Planned> found) {
        requireSameItems(found);
        for (Planned planned : found) {
            EffectEntry entry = planned.entry();
            if (!entry.key().effect().equals(channel.traits().effect())
                    || !requests.containsKey(entry.key().businessKey())) {
                throw new IllegalStateException("two effects have one key: " + entry.key());
            }
            if (!entry.journal().equals(journal)) {
                throw new IllegalArgumentException(
                        "effect " + entry.key() + " is in the journal of lease \"" + entry.journal()
                                + "\" and cannot be in that of \"" + journal + "\" too: two holders would drive it");
            }
            if (!planned.fresh()) {
                requireSamePayload(entry);
            }
        }
    }

    private void requireSameItems(List<Planned> found) {
        TreeSet<String> differing = new TreeSet<>();
        boolean anyBefore = false;
        for (Planned planned : found) {
            anyBefore |= !planned.fresh() && planned.entry().run().isPresent();
        }
        for (Planned planned : found) {
            boolean belongsToARun = planned.entry().run().isPresent();
            String businessKey = planned.entry().key().businessKey();
            if (belongsToARun && (!requests.containsKey(businessKey) || (planned.fresh() && anyBefore))) {
                differing.add(businessKey);
            }
        }
        if (!differing.isEmpty()) {
            throw new PayloadMismatchException(
                    "this run was planned with other items: " + differing + " differ; another list is another run",
                    List.copyOf(differing));
        }
    }

    private void requireSamePayload(EffectEntry entry) {
        Map<String, String> before = channel.stableFields(channel.requests().read(entry.request()));
        Q request = Objects.requireNonNull(requests.get(entry.key().businessKey()));
        Map<String, String> now = channel.stableFields(request);
        TreeSet<String> differing = new TreeSet<>(before.keySet());
        differing.addAll(now.keySet());
        differing.removeIf(field -> Objects.equals(before.get(field), now.get(field)));
        if (!differing.isEmpty()) {
            throw new PayloadMismatchException(
                    "effect " + entry.key() + " was planned with another payload: " + differing
                            + " differ; a deliberate second effect is another business key",
                    List.copyOf(differing));
        }
    }
}
