package dev.fence.chaos;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Nobody claims to hold a lease after it was granted to the next. Claims count from before they were asked for, grants from
 * after they were there, so what overlaps here did overlap.
 *
 * <p>One thing is not the holder's fault: that etcd ends a session whose heartbeats it has confirmed, before their time to live
 * is over. It is told apart by what the former holder asked for itself: its last confirmation was sent less than a time to
 * live before the next grant, none that was sent after it came back good, and the service's word, that the session is revoked,
 * was heard soon.
 */
final class Ownership implements Checker.Rule {

    private static final long SOON = TimeUnit.SECONDS.toNanos(3);

    private int revokedAlive;

    int revokedAlive() {
        return revokedAlive;
    }

    @Override
    public void check(List<Event> history, Consumer<Violation> found) {
        Map<String, TreeMap<Long, Event>> grants = new HashMap<>();
        history.stream()
                .filter(Checker::isGrant)
                .forEach(event -> grants.computeIfAbsent(event.lease(), lease -> new TreeMap<>())
                        .putIfAbsent(event.token(), event));
        grants.forEach((lease, byToken) ->
                byToken.forEach((token, grant) -> byToken.tailMap(token, false).values().stream()
                        .min((a, b) -> Long.compare(a.at(), b.at()))
                        .ifPresent(next -> check(history, grant, next, found))));
    }

    private void check(List<Event> history, Event grant, Event next, Consumer<Violation> found) {
        List<Event> own = history.stream()
                .filter(event -> event.lease().equals(grant.lease()) && event.token() == grant.token())
                .toList();
        List<Event> late = own.stream()
                .filter(event -> event.what() == What.CLAIMED && event.at() > next.at())
                .toList();
        if (late.isEmpty()) {
            return;
        }
        if (endedByTheService(history, own, grant, next)) {
            revokedAlive++;
            return;
        }
        long longest = late.get(late.size() - 1).at() - next.at();
        found.accept(new Violation(
                "one holder at a time",
                grant.who() + " claimed \"" + grant.lease() + "\" with token " + grant.token() + " " + late.size()
                        + " times, until " + longest / 1_000_000 + " ms after " + next.who()
                        + " was granted it with token " + next.token()));
    }

    private static boolean endedByTheService(List<Event> history, List<Event> own, Event grant, Event next) {
        long ttl = Checker.ttlNanos(history);
        boolean alive = own.stream()
                .anyMatch(event ->
                        event.what() == What.CONFIRMED && event.at() < next.at() && event.at() + ttl > next.at());
        boolean confirmedAfterwards =
                own.stream().anyMatch(event -> event.what() == What.CONFIRMED && event.at() > next.at());
        boolean heardOfIt = own.stream()
                .anyMatch(event ->
                        event.what() == What.LOST && event.detail().equals("REVOKED") && event.at() < next.at() + SOON);
        boolean killedBefore = history.stream()
                .anyMatch(event -> event.what() == What.KILLED
                        && event.who().equals(grant.process())
                        && event.at() < next.at() + SOON);
        return alive && !confirmedAfterwards && (heardOfIt || killedBefore);
    }
}
