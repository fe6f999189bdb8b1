package dev.fence.effects;

import dev.fence.Grant;
import dev.fence.Lease;
import dev.fence.StaleTokenException;
import dev.fence.fixtures.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The journal as a model: the transition table of docs/effects.md once more, in memory and in virtual time. */
final class ModelJournal {

    private record Row(EffectEntry entry, @Nullable Grant sentBy, long firstSentNanos, long lastSentNanos) {}

    private final VirtualTime time;
    private final Map<String, Row> rows = new TreeMap<>();
    private @Nullable Grant sealed;

    ModelJournal(VirtualTime time) {
        this.time = time;
    }

    Journal sealedBy(Lease lease, String resource) {
        check(
                lease.grant(),
                resource,
                sealed == null || sealed.token().value() <= lease.token().value());
        sealed = lease.grant();
        return new Held(lease.grant(), resource);
    }

    Optional<EffectState> state(EffectKey key) {
        return Optional.ofNullable(rows.get(key.text())).map(row -> row.entry().state());
    }

    private void check(Grant grant, String resource, boolean holds) {
        if (!holds) {
            throw new StaleTokenException(resource, grant, Objects.requireNonNull(sealed), null);
        }
    }

    private EffectEntry aged(Row row) {
        return with(row.entry(), row.entry().state(), row, row.entry().doubt());
    }

    private Optional<Duration> age(long nanos) {
        return nanos == 0 ? Optional.empty() : Optional.of(Duration.ofNanos(time.nanos() - nanos));
    }

    private EffectEntry with(EffectEntry e, EffectState state, Row row, boolean doubt) {
        return new EffectEntry(
                e.key(),
                e.journal(),
                e.run(),
                e.keyed(),
                e.request(),
                state,
                e.attempts(),
                e.attemptsSinceDecision(),
                doubt,
                age(row.firstSentNanos()),
                age(row.lastSentNanos()),
                e.reference(),
                e.result(),
                e.replayed(),
                e.detail(),
                e.plannedAt(),
                e.changedAt());
    }

    /** The journal in one holder's hands. */
    private final class Held implements Journal {
        private final Grant grant;
        private final String resource;

        Held(Grant grant, String resource) {
            this.grant = grant;
            this.resource = resource;
        }

        @Override
        public List<Planned> plan(
                String effect, boolean keyed, @Nullable String run, List<Plan> plans, Acceptance accept) {
            check(grant, resource, grant.equals(sealed));
            List<Planned> found = new ArrayList<>();
            Map<String, Row> fresh = new TreeMap<>();
            for (Plan plan : plans) {
                Row row = rows.get(plan.key().text());
                boolean isFresh = row == null;
                if (row == null) {
                    row = new Row(planned(plan, keyed, run), null, 0, 0);
                    fresh.put(plan.key().text(), row);
                }
                found.add(new Planned(aged(row), isFresh));
            }
            accept.examine(found);
            rows.putAll(fresh);
            return found;
        }

        private EffectEntry planned(Plan plan, boolean keyed, @Nullable String run) {
            return new EffectEntry(
                    plan.key(),
                    grant.leaseName(),
                    Optional.ofNullable(run),
                    keyed,
                    plan.request(),
                    EffectState.PLANNED,
                    0,
                    0,
                    false,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    false,
                    "",
                    Instant.EPOCH,
                    Instant.EPOCH);
        }

        @Override
        public EffectEntry move(EffectEntry entry, Step step) {
            check(grant, resource, grant.equals(sealed));
            String key = entry.key().text();
            Row row = Objects.requireNonNull(rows.get(key));
            EffectEntry e = row.entry();
            if (e.state() != entry.state()) {
                throw new MovedMeanwhileException(key + " is " + e.state() + ", not " + entry.state(), null);
            }
            if (!Transitions.permitted(e, step, grant.equals(row.sentBy()))) {
                throw new IllegalStateException(e.state() + " to " + step);
            }
            boolean sends = step.to() == EffectState.SENT;
            boolean doubt = e.doubt()
                    || step.evidence() == Evidence.REPEAT
                    || (step.evidence() == Evidence.LOOKUP && step.to() == EffectState.NOT_EXECUTED);
            long now = time.nanos();
            EffectEntry moved = new EffectEntry(
                    e.key(),
                    e.journal(),
                    e.run(),
                    e.keyed(),
                    e.request(),
                    step.to(),
                    e.attempts() + (sends ? 1 : 0),
                    e.attemptsSinceDecision() + (sends ? 1 : 0),
                    doubt,
                    e.sinceFirstSent(),
                    e.sinceLastSent(),
                    step.reference() == null ? e.reference() : Optional.of(step.reference()),
                    step.result() == null ? e.result() : Optional.of(step.result()),
                    step.replayed(),
                    step.detail(),
                    e.plannedAt(),
                    e.changedAt().plusNanos(1));
            Row now2 = new Row(
                    moved,
                    sends ? grant : row.sentBy(),
                    sends && row.firstSentNanos() == 0 ? now : row.firstSentNanos(),
                    sends ? now : row.lastSentNanos());
            rows.put(key, now2);
            return aged(now2);
        }

        @Override
        public EffectEntry read(EffectKey key) {
            check(grant, resource, grant.equals(sealed));
            return aged(Objects.requireNonNull(rows.get(key.text())));
        }

        @Override
        public List<EffectEntry> open(String effect, String after, int limit) {
            check(grant, resource, grant.equals(sealed));
            return rows.values().stream()
                    .map(ModelJournal.this::aged)
                    .filter(e -> e.key().text().compareTo(after) > 0)
                    .filter(e -> e.state() != EffectState.DONE && e.state() != EffectState.REFUSED)
                    .limit(limit)
                    .toList();
        }
    }
}
