package dev.fence.properties;

/** What bodies write with: one value that each write replaces by its own number. */
interface Register {

    /** The number of the write that took effect last, 0 before the first. */
    long read();

    void write(long number);
}
