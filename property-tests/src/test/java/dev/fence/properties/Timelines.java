package dev.fence.properties;

import dev.fence.properties.Timeline.Event;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.Tuple;
import net.jqwik.api.Tuple.Tuple2;

/** How timelines are drawn. */
final class Timelines {

    /** Everything that can happen between operations. */
    static final Set<Kind> WITHOUT_OPEN_BODIES = EnumSet.complementOf(EnumSet.of(Kind.PARK));

    /** The story of the paused holder alone, told with a lease service that makes no mistake. */
    static final Set<Kind> PAUSES_ONLY = EnumSet.of(
            Kind.ACQUIRE,
            Kind.RELEASE,
            Kind.SEAL,
            Kind.READ,
            Kind.WRITE,
            Kind.UPDATE,
            Kind.WRITE_BACK,
            Kind.CHECK,
            Kind.GO_ON,
            Kind.PAUSE,
            Kind.RESUME,
            Kind.TICK,
            Kind.EXPIRE);

    /** Holders that build on each other's values, and a service that gives their lease away. */
    static final Set<Kind> READ_MODIFY_WRITE =
            EnumSet.of(Kind.ACQUIRE, Kind.SEAL, Kind.READ, Kind.WRITE, Kind.UPDATE, Kind.GIVE_AWAY);

    /** Requests that arrive when their sender has long lost its lease, or is gone; again, the service makes no mistake. */
    static final Set<Kind> LATE_REQUESTS = EnumSet.of(
            Kind.ACQUIRE,
            Kind.SEAL,
            Kind.READ,
            Kind.WRITE,
            Kind.UPDATE,
            Kind.SEND_LATE,
            Kind.ARRIVE,
            Kind.CRASH,
            Kind.TICK,
            Kind.EXPIRE);

    /** Sequences that make a process get somewhere: events drawn one by one rarely do. */
    private static final List<List<Kind>> PHRASES = List.of(
            List.of(Kind.ACQUIRE, Kind.SEAL),
            List.of(Kind.ACQUIRE, Kind.SEAL, Kind.READ),
            List.of(Kind.CHECK, Kind.PAUSE, Kind.EXPIRE),
            List.of(Kind.PARK, Kind.PAUSE, Kind.EXPIRE),
            List.of(Kind.CHECK, Kind.GIVE_AWAY),
            List.of(Kind.SEND_LATE, Kind.CRASH, Kind.EXPIRE),
            List.of(Kind.SEND_LATE, Kind.GIVE_AWAY));

    private static final int SINGLES_PER_PHRASE = 2;
    private static final int MAX_PHRASES = 30;

    private Timelines() {}

    static Arbitrary<Timeline> of(Set<Kind> kinds) {
        Arbitrary<Integer> processes = Arbitraries.frequency(Tuple.of(4, 2), Tuple.of(2, 3), Tuple.of(1, 4));
        Arbitrary<Boolean> bare = Arbitraries.frequency(Tuple.of(9, false), Tuple.of(1, true));
        Arbitrary<List<List<Event>>> events = Combinators.combine(phrases(kinds), index(4), index(12))
                .as(Timelines::events)
                .list()
                .ofMinSize(1)
                .ofMaxSize(MAX_PHRASES)
                .withSizeDistribution(RandomDistribution.uniform());
        return Combinators.combine(processes, bare, events)
                .as((n, b, lists) ->
                        new Timeline(n, b, lists.stream().flatMap(List::stream).toList()));
    }

    private static Arbitrary<List<Kind>> phrases(Set<Kind> kinds) {
        List<Tuple2<Integer, List<Kind>>> singles = kinds.stream()
                .map(kind -> Tuple.of(kind.weight(), List.of(kind)))
                .toList();
        return Arbitraries.frequencyOf(
                Tuple.of(SINGLES_PER_PHRASE, Arbitraries.frequency(singles)),
                Tuple.of(
                        1,
                        Arbitraries.of(
                                PHRASES.stream().filter(kinds::containsAll).toList())));
    }

    private static List<Event> events(List<Kind> phrase, int who, int arg) {
        return phrase.stream().map(kind -> new Event(kind, who, arg)).toList();
    }

    private static Arbitrary<Integer> index(int below) {
        return Arbitraries.integers().between(0, below - 1).withDistribution(RandomDistribution.uniform());
    }
}
