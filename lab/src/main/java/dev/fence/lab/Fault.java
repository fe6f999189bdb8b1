package dev.fence.lab;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What goes wrong in a series of timelines. */
enum Fault {
    NONE,
    PAUSE(Kind.PAUSE),
    DELAY(Kind.LATE, Kind.LATE_RELEASE, Kind.DELIVER),
    LOSS(Kind.LOSE_REQUEST, Kind.LOSE_REPLY, Kind.CUT_OFF),
    DUPLICATE(Kind.DUPLICATE, Kind.DELIVER),
    CLOCK(Kind.SERVICE_CLOCK_STEPS, Kind.PROCESS_CLOCK_DRIFTS),
    CRASH(Kind.CRASH, Kind.SERVICE_RESTARTS),
    FAILOVER(Kind.SERVICE_FAILS_OVER, Kind.RESOURCE_FAILS_OVER),
    RESTORE(Kind.SERVICE_IS_RESTORED),
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
        return name().toLowerCase(Locale.ROOT);
    }
}
