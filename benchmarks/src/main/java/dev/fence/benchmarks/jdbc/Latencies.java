package dev.fence.benchmarks.jdbc;

import java.util.Arrays;

/** How long writes took, in nanoseconds. For one thread. */
final class Latencies {

    private long[] nanos = new long[256];
    private int size;

    void add(long one) {
        if (size == nanos.length) {
            nanos = Arrays.copyOf(nanos, size * 2);
        }
        nanos[size++] = one;
    }

    void add(Latencies others) {
        for (int i = 0; i < others.size; i++) {
            add(others.nanos[i]);
        }
    }

    int size() {
        return size;
    }

    double median() {
        long[] sorted = Arrays.copyOf(nanos, size);
        Arrays.sort(sorted);
        return size == 0 ? Double.NaN : sorted[size / 2];
    }
}
