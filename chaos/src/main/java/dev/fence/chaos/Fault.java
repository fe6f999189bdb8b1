package dev.fence.chaos;

/**
 * Harm that is done and undone.
 *
 * @param what for the history
 * @param target suffers no other fault meanwhile
 */
record Fault(String what, Object target, long millis, Step begin, Step end) {

    /** Harms or heals. */
    interface Step {
        void run() throws Exception;
    }
}
