package dev.fence.properties;

import dev.fence.properties.Script.Expectation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import net.jqwik.api.RandomGenerator;

/**
 * Plays many timelines and shrinks the first one in which an invariant does not hold. The same search is used where none may
 * be found and where one must be. Each timeline has a seed of its own, so that the one that failed comes first in a rerun.
 */
record Search(Set<Kind> kinds, Set<Invariant> invariants, Supplier<Subject> subjects, int tries, int mostShrinks) {

    private static final String SEED = "fence.properties.seed";
    private static final Path COUNTEREXAMPLES = Path.of("target", "counterexamples");
    /** How many smaller timelines are tried: a number, so that a slow machine finds the same. */
    private static final int MOST_SHRINKS = 10_000;

    static final long FIXED_SEED = 1;
    /** Enough for lists of events to have all sizes. */
    private static final int GEN_SIZE = 1000;

    /** What was found. */
    record Violation(
            Invariant invariant, String words, String subject, long seed, int timelinesPlayed, History history) {

        /** Where the story is, as a file to be replayed. */
        Path file() {
            return COUNTEREXAMPLES.resolve(subject + "-" + invariant + "-" + seed + ".timeline");
        }

        Violation written() {
            Expectation expectation = new Expectation(subject, invariant);
            try {
                Files.createDirectories(COUNTEREXAMPLES);
                Files.writeString(
                        file(),
                        Script.of(history, invariant + " does not hold", expectation)
                                .toString());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return this;
        }

        @Override
        public String toString() {
            return String.format(
                    "%s does not hold: %s%nTimeline %d had seed %d (to rerun: -Dfence.properties.seed=%d), shrunk to %d events (to replay: script/replay property-tests/%s):%n%s",
                    invariant,
                    words,
                    timelinesPlayed,
                    seed,
                    seed,
                    history.steps().size(),
                    file(),
                    history);
        }
    }

    static Search forAll(Set<Kind> kinds, Supplier<Subject> subjects, int tries) {
        return new Search(kinds, EnumSet.allOf(Invariant.class), subjects, tries, MOST_SHRINKS);
    }

    Search only(Invariant invariant) {
        return new Search(kinds, EnumSet.of(invariant), subjects, tries, mostShrinks);
    }

    Search withMostShrinks(int most) {
        return new Search(kinds, invariants, subjects, tries, most);
    }

    /** Where nothing may be found: the seed that the system property {@code fence.properties.seed} names, else a new one. */
    static long seed() {
        return Long.getLong(SEED, new Random().nextInt(1_000_000_000));
    }

    /**
     * Where something must be found, and told in few events: the seed that the property names, else always the same. How short a
     * story becomes is a matter of luck, and a build is none.
     */
    static long fixedSeed() {
        return Long.getLong(SEED, FIXED_SEED);
    }

    /** How many timelines: the system property {@code fence.properties.<of>}, else {@code usually}. */
    static int tries(String of, int usually) {
        return Integer.getInteger("fence.properties." + of, usually);
    }

    /** The violation that was found, shrunk, or empty if all timelines were played without one. */
    Optional<Violation> run(long firstSeed) {
        RandomGenerator<Timeline> generator = Timelines.of(kinds).generator(GEN_SIZE);
        for (int i = 0; i < tries; i++) {
            long seed = firstSeed + i;
            // Neighbouring seeds of Random begin alike.
            Timeline timeline = generator
                    .next(new Random(new SplittableRandom(seed).nextLong()))
                    .value();
            Optional<Violation> found = judge(timeline, seed, i + 1);
            if (found.isPresent()) {
                return Optional.of(shrink(found.get()).written());
            }
        }
        return Optional.empty();
    }

    private Optional<Violation> judge(Timeline timeline, long seed, int played) {
        try (Subject subject = subjects.get()) {
            History history = World.play(timeline, subject);
            return invariants.stream()
                    .flatMap(invariant -> invariant
                            .violationIn(history)
                            .map(words -> new Violation(invariant, words, subject.name(), seed, played, history))
                            .stream())
                    .findFirst();
        } catch (RuntimeException e) {
            throw new IllegalStateException("seed " + seed + " could not be played to its end: " + timeline, e);
        }
    }

    /** Takes the first smaller timeline that still fails, until there is none or enough were tried. */
    private Violation shrink(Violation found) {
        AtomicInteger tried = new AtomicInteger();
        Violation smallest = found;
        for (Optional<Violation> next = Optional.of(found); next.isPresent(); ) {
            smallest = next.get();
            // Who took an event is only known when it was played: what seemed smaller may have become the same again.
            long size = smallest.history().timeline().size();
            next = Shrinking.candidates(smallest.history().timeline())
                    .takeWhile(candidate -> tried.incrementAndGet() <= mostShrinks)
                    .flatMap(candidate -> judge(candidate, found.seed(), found.timelinesPlayed()).stream())
                    .filter(candidate -> candidate.history().timeline().size() < size)
                    .findFirst();
        }
        return smallest;
    }
}
