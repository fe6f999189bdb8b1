package dev.fence.benchmarks.etcd;

/**
 * One figure.
 *
 * @param measure what was done
 * @param who did it
 * @param unit of the value
 * @param ratio to the first of the same measure
 */
record Result(String measure, String who, double value, String unit, double ratio) {}
