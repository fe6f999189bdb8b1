package dev.fence.benchmarks.etcd;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Times of several contestants, taken in turns, so that whatever slows the machine down slows all of them down. */
final class Samples {

    /** What is timed. */
    interface Step {
        void run() throws Exception;
    }

    private final Map<String, List<Long>> nanos = new LinkedHashMap<>();

    void time(String who, Step step) throws Exception {
        long start = System.nanoTime();
        step.run();
        add(who, System.nanoTime() - start);
    }

    void add(String who, long time) {
        nanos.computeIfAbsent(who, name -> new ArrayList<>()).add(time);
    }

    /** Forgets what was taken to warm up. */
    void clear() {
        nanos.clear();
    }

    /** The medians in milliseconds, with ratios to that of {@code base}. */
    List<Result> medians(String measure, String base) {
        double one = median(Objects.requireNonNull(nanos.get(base)));
        List<Result> results = new ArrayList<>();
        nanos.forEach((who, times) ->
                results.add(new Result(measure + ", p50", who, median(times), "ms", median(times) / one)));
        return results;
    }

    private static double median(List<Long> nanos) {
        return nanos.stream().sorted().toList().get(nanos.size() / 2) / 1e6;
    }
}
