package dev.fence.lab;

import dev.fence.lab.Answer.Verdict;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A consensus group with sessions and an ordered queue, asked as this project asks etcd. Every request is one atomic step. It
 * measures elapsed time and forgets nothing but by a restore. A new leader gives sessions a fresh time to live; one that was
 * stopped and resumed has been seen to revoke a live one.
 */
final class Consensus extends LockService {

    private static final long GENERATION = 1_000_000;

    /** A key in the queue, in the order of create revisions. The token was computed with the floor that was in force. */
    private record Place(Acquisition by, long token) {}

    private final Map<Long, Long> sessionExpiries = new TreeMap<>();
    private final List<Place> queue = new ArrayList<>();
    private final Set<Acquisition> tombstones = new HashSet<>();
    private long sessions;
    /** Of the last key that was put; a real one counts more than that. */
    private long revision;

    private long floor;
    private boolean forgot;
    private boolean gaveTokensSince;

    Consensus(Witness witness, Set<Rule> dropped) {
        super(witness, dropped);
    }

    @Override
    boolean hasSessions() {
        return true;
    }

    @Override
    long openSession(long now) {
        sessionExpiries.put(++sessions, now + TTL_MILLIS);
        return sessions;
    }

    @Override
    Answer handle(Ask ask, long now) {
        expire(now);
        return switch (ask.what()) {
            case ACQUIRE -> enqueue(ask);
            case LOOK -> place(ask);
            case RENEW ->
                ask.answer(sessionExpiries.computeIfPresent(ask.by().session(), (session, expiry) -> now + TTL_MILLIS)
                        != null);
            case CONFIRM -> ask.answer(isFirst(ask.by()));
            case RELEASE -> leave(ask);
        };
    }

    /** If own key and own tombstone are absent, puts the key; else only reads: so it can be sent again after a lost answer. */
    private Answer enqueue(Ask ask) {
        Acquisition by = ask.by();
        boolean present = queue.stream().anyMatch(place -> place.by() == by) && keeps(Rule.AN_ENQUEUE_IS_IDEMPOTENT);
        if (!present && sessionExpiries.containsKey(by.session()) && !tombstones.contains(by)) {
            gaveTokensSince |= forgot;
            queue.add(new Place(by, floor + ++revision));
            witness().tookAPlace(by);
        }
        return place(ask);
    }

    private Answer place(Ask ask) {
        for (int i = 0; i < queue.size(); i++) {
            Place place = queue.get(i);
            if (place.by() == ask.by()) {
                return i == 0
                        ? new Answer(ask, Verdict.YES, place.token(), null)
                        : new Answer(
                                ask,
                                Verdict.QUEUED,
                                place.token(),
                                queue.get(i - 1).by());
            }
        }
        return ask.answer(false);
    }

    /** With the tombstone whenever, where the real one leaves it only if an enqueue went unanswered: here all may come twice. */
    private Answer leave(Ask ask) {
        Acquisition by = ask.by();
        if (keeps(Rule.A_RELEASE_IS_BY_HOLDER)) {
            queue.removeIf(place -> place.by() == by);
        } else if (!queue.isEmpty() && queue.remove(0).by() != by) {
            witness().releasedForeign();
        }
        if (keeps(Rule.GIVING_UP_LEAVES_A_TOMBSTONE)) {
            tombstones.add(by);
        }
        witness().leftTheQueue(by);
        return ask.answer(true);
    }

    private void expire(long now) {
        sessionExpiries.values().removeIf(expiry -> expiry <= now);
        queue.removeIf(place -> !sessionExpiries.containsKey(place.by().session()));
    }

    private boolean isFirst(Acquisition by) {
        return !queue.isEmpty() && queue.get(0).by() == by;
    }

    @Override
    boolean isHeldBy(Acquisition acquisition, long now) {
        expire(now);
        return isFirst(acquisition);
    }

    @Override
    long freeAt(@Nullable Acquisition behind) {
        return behind == null || queue.stream().noneMatch(place -> place.by() == behind)
                ? 0
                : sessionExpiries.getOrDefault(behind.session(), 0L);
    }

    @Override
    boolean isKeptBy(Acquisition other, @Nullable Acquisition behind, long now) {
        return behind != null && behind.session() == other.session();
    }

    @Override
    boolean forgetsTokens(Kind fault) {
        return fault == Kind.SERVICE_IS_RESTORED;
    }

    @Override
    boolean hasForgottenTokens() {
        return forgot;
    }

    @Override
    void restarts(int server, long now) {
        expire(now);
        sessionExpiries.replaceAll((session, expiry) -> now + TTL_MILLIS);
    }

    @Override
    void failsOver(int server, long now) {
        expire(now);
        if (server % 2 == 0 && !queue.isEmpty()) {
            sessionExpiries.remove(queue.get(0).by().session());
            expire(now);
        } else {
            restarts(server, now);
        }
    }

    /** To a backup that is older than all sessions. Revisions run backwards. */
    @Override
    void isRestored(int back) {
        sessionExpiries.clear();
        queue.clear();
        tombstones.clear();
        revision = Math.max(0, revision - back - 1);
        forgot = true;
    }

    @Override
    boolean hasFloor() {
        return true;
    }

    /** Mends a restore, unless tokens were given a second time before it. */
    @Override
    void floorIsRaised() {
        floor += GENERATION;
        forgot = gaveTokensSince;
    }
}
