package dev.fence.properties;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.Shrinkable;

/** Looks for a list that violates something, and makes it smaller by jqwik's own shrinking. */
final class Falsifier {

    private static final int GEN_SIZE = 1000;
    private static final int MOST_SHRINKS = 2_000;

    /** @param words what was violated */
    record Found<T>(List<T> list, String words, long seed) {

        @Override
        public String toString() {
            return words + " (to rerun: -Dfence.properties.seed=" + seed + ")\n"
                    + list.stream().map(String::valueOf).collect(Collectors.joining("\n"));
        }
    }

    private Falsifier() {}

    /** @param judge in words what is violated by a list, or empty if nothing is */
    static <T> Optional<Found<T>> find(
            Arbitrary<List<T>> lists, Function<List<T>, Optional<String>> judge, int tries, long firstSeed) {
        RandomGenerator<List<T>> generator = lists.generator(GEN_SIZE);
        for (int i = 0; i < tries; i++) {
            // Neighbouring seeds of Random begin alike.
            Shrinkable<List<T>> drawn = generator.next(new Random(new SplittableRandom(firstSeed + i).nextLong()));
            if (judge.apply(drawn.value()).isPresent()) {
                List<T> smallest = shrink(drawn, judge).value();
                return Optional.of(new Found<>(smallest, judge.apply(smallest).orElseThrow(), firstSeed + i));
            }
        }
        return Optional.empty();
    }

    private static <T> Shrinkable<List<T>> shrink(
            Shrinkable<List<T>> found, Function<List<T>, Optional<String>> judge) {
        Shrinkable<List<T>> smallest = found;
        Optional<Shrinkable<List<T>>> next = Optional.of(found);
        for (int i = 0; i < MOST_SHRINKS && next.isPresent(); i++) {
            smallest = next.get();
            next = smallest.shrink()
                    .filter(smaller -> judge.apply(smaller.value()).isPresent())
                    .findFirst();
        }
        return smallest;
    }
}
