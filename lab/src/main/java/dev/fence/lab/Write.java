package dev.fence.lab;

import org.jspecify.annotations.Nullable;

/**
 * A write, computed from what was read.
 *
 * @param by null for what was there in the beginning
 * @param number rises with each write that is made, so that no two are the same
 * @param basis what it was computed from
 * @param content the bytes that are written: 0 or 1, whichever was not read
 */
record Write(@Nullable Acquisition by, int number, Reading basis, int content) {

    static final Write BEGINNING = new Write(null, 0, new Reading(0, 0, 0), 0);

    /**
     * What a process read.
     *
     * @param number the write that it read
     * @param version of the whole object: every change makes a new one
     */
    record Reading(int number, int content, int version) {}
}
