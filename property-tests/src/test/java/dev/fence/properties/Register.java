package dev.fence.properties;

/** What bodies write with: one value that each write replaces by its own. */
interface Register {

    /**
     * A value.
     *
     * @param number the number of the write, of which there are no two
     * @param content what was written; the same as the number but where a write puts an earlier content back
     */
    record Value(long number, long content) {

        static final Value FIRST = new Value(0, 0);
    }

    /** The number of the write that took effect last, 0 before the first. */
    long read();

    void write(Value value);
}
