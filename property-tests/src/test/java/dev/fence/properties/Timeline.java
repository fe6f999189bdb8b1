package dev.fence.properties;

import java.util.List;

/**
 * What is played: everything else follows from this.
 *
 * @param processes two to four
 * @param bare whether the resource begins without a guard
 */
record Timeline(int processes, boolean bare, List<Event> events) {

    /** The number of events above all, then that of processes, then what is done, then the indices. */
    long size() {
        long indices =
                events.stream().mapToLong(event -> event.who() + event.arg()).sum();
        long operations =
                events.stream().map(Event::kind).mapToLong(Timeline::effort).sum();
        return events.size() * 10_000_000L + processes * 1_000_000L + operations * 1000 + indices;
    }

    private static long effort(Kind kind) {
        Kind simpler = kind.simpler();
        return simpler == null ? 0 : 1 + effort(simpler);
    }

    /**
     * One event. Those that no process can take at that moment are passed over, so that any part of a timeline is one too.
     *
     * @param who which of the processes, modulo their number; if that one cannot take it, which of those that can
     * @param arg which of the ways there are, modulo their number
     */
    record Event(Kind kind, int who, int arg) {}
}
