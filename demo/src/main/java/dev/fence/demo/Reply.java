package dev.fence.demo;

/**
 * What a worker answers to one command, as a line of JSON on its standard output.
 *
 * @param outcome {@code applied}, or the simple name of the exception
 * @param text what happened, for people
 * @param token the fencing token of the worker's lease; 0 without one
 * @param invoice the invoice that was read or paid; 0 if none
 * @param millis how long it took
 */
record Reply(String outcome, String text, long token, int invoice, long millis) {

    static final String APPLIED = "applied";

    boolean isApplied() {
        return outcome.equals(APPLIED);
    }
}
