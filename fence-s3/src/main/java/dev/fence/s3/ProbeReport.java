package dev.fence.s3;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What was seen of a store: every check of the probe, in the order in which they ran.
 *
 * <p>A check that failed proves that the store cannot keep a guard. That all passed proves less: a store whose conditions are
 * only almost atomic may have been lucky.
 *
 * @param endpoint the service
 * @param bucket the bucket
 * @param checks in the order in which they ran
 */
public record ProbeReport(String endpoint, String bucket, List<Check> checks) {

    public ProbeReport {
        checks = List.copyOf(checks);
    }

    /**
     * One check.
     *
     * @param name a short name that stays the same
     * @param passed whether the store behaved
     * @param seen what it did, in words for people
     */
    public record Check(String name, boolean passed, String seen) {
        @Override
        public String toString() {
            return name + (passed ? " passed: " : " FAILED: ") + seen;
        }
    }

    public boolean passed() {
        return checks.stream().allMatch(Check::passed);
    }

    /** Names the store and the checks that failed, or all of them if none did. */
    @Override
    public String toString() {
        String lines = checks.stream()
                .filter(check -> passed() || !check.passed())
                .map(Check::toString)
                .collect(Collectors.joining("; "));
        return "bucket \"" + bucket + "\" at " + endpoint + (passed() ? " can" : " cannot") + " keep a guard: " + lines;
    }
}
