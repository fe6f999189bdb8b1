package dev.fence.lab;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What goes wrong in a series of timelines. */
enum Fault {
    NONE,
    PAUSE(Kind.PAUSE),
    DELAY(Kind.LATE, Kind.LATE_REPLY, Kind.LATE_RELEASE, Kind.LATE_RENEWAL, Kind.LATE_RENEWAL_REPLY, Kind.DELIVER),
    LOSS(Kind.LOSE_REQUEST, Kind.LOSE_REPLY, Kind.CUT_OFF, Kind.GO_DEAF),
    DUPLICATE(Kind.DUPLICATE, Kind.DUPLICATE_RENEWAL, Kind.DELIVER),
    /** Of the servers of the lock service. */
    CLOCK(Kind.SERVICE_CLOCK_STEPS_AHEAD, Kind.SERVICE_CLOCK_STEPS_BACK, Kind.SERVICE_CLOCK_DRIFTS),
    /** Of a process. */
    DRIFT(Kind.PROCESS_CLOCK_DRIFTS),
    CRASH(Kind.CRASH, Kind.SERVICE_RESTARTS),
    FAILOVER(Kind.SERVICE_FAILS_OVER, Kind.RESOURCE_FAILS_OVER),
    RESTORE(Kind.SERVICE_IS_RESTORED, Kind.FLOOR_IS_RAISED),
    /** The lock service and the resource's database may both forget: the limit of every fence. Else at most one of them does. */
    BOTH_LOST(
            Kind.SERVICE_RESTARTS,
            Kind.SERVICE_FAILS_OVER,
            Kind.SERVICE_IS_RESTORED,
            Kind.FLOOR_IS_RAISED,
            Kind.RESOURCE_FAILS_OVER),
    ALL(Kind.values());

    @SuppressWarnings("ImmutableEnumChecker") // it does not change
    private final List<Kind> kinds;

    Fault(Kind... more) {
        kinds = Stream.of(Kind.values())
                .filter(kind -> kind.isOrdinary() || List.of(more).contains(kind))
                .toList();
    }

    /** What can happen then, in the order of {@link Kind}. */
    List<Kind> kinds() {
        return kinds;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
