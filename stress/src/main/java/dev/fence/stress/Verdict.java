package dev.fence.stress;

import dev.fence.stress.Witness.Event;
import dev.fence.stress.Witness.Sealed;
import dev.fence.stress.Witness.Written;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the log says about a race.
 *
 * @param commits of writes
 * @param violations in words; empty if nothing was lost and nothing came late
 */
record Verdict(int commits, int seals, List<String> violations) {

    /**
     * Holds what the log says against what the holders were told.
     *
     * @param applied ids of writes that were acknowledged
     * @param refused ids of writes that were said to have changed nothing
     */
    static Verdict of(List<Event> events, Set<Long> applied, Set<Long> refused) {
        Judge judge = new Judge();
        events.forEach(judge::hear);
        for (long id : applied) {
            if (!judge.committed.contains(id)) {
                judge.violations.add("write " + id + " was acknowledged and is not in the log");
            }
        }
        for (long id : refused) {
            if (judge.committed.contains(id)) {
                judge.violations.add("write " + id + " was refused and is in the log");
            }
        }
        return new Verdict(judge.committed.size(), judge.seals, judge.violations);
    }

    private static final class Judge {
        private final Map<String, Long> newest = new HashMap<>();
        private final Map<String, Long> last = new HashMap<>();
        private final Set<Long> committed = new HashSet<>();
        private final List<String> violations = new ArrayList<>();
        private int seals;

        void hear(Event event) {
            if (event instanceof Sealed) {
                seals++;
                newest.merge(event.resource(), event.token(), Math::max);
            } else if (event instanceof Written write && write.last() != lastOf(write)) { // else it was only touched
                judge(write);
                last.put(write.resource(), write.last());
                committed.add(write.last());
            }
        }

        private long lastOf(Written write) {
            return last.getOrDefault(write.resource(), 0L);
        }

        private void judge(Written write) {
            long sealed = newest.getOrDefault(write.resource(), 0L);
            if (write.token() < sealed) {
                violations.add("write " + write.last() + " with token " + write.token() + " to " + write.resource()
                        + " was committed after the seal with token " + sealed);
            }
            if (write.seen() != lastOf(write)) {
                violations.add("write " + write.last() + " with token " + write.token() + " to " + write.resource()
                        + " builds on " + write.seen() + ", and " + lastOf(write) + " is lost");
            }
        }
    }
}
