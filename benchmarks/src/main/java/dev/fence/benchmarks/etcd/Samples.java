package dev.fence.benchmarks.etcd;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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

    /** The medians in milliseconds, with ratios to the first contestant. */
    List<Result> medians(String measure) {
        List<Result> results = new ArrayList<>();
        double first = 0;
        for (Map.Entry<String, List<Long>> each : nanos.entrySet()) {
            List<Long> sorted = each.getValue().stream().sorted().toList();
            double median = sorted.get(sorted.size() / 2) / 1e6;
            first = results.isEmpty() ? median : first;
            results.add(new Result(measure + ", p50", each.getKey(), median, "ms", median / first));
        }
        return results;
    }
}
