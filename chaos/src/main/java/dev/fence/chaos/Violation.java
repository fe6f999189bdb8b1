package dev.fence.chaos;

/** What must never be in a history. */
record Violation(String rule, String what) {

    @Override
    public String toString() {
        return rule + ": " + what;
    }
}
