package dev.fence.chaos;

import java.util.List;

/**
 * What is made of a history.
 *
 * @param revokedAlive how often a former holder still claimed to hold because etcd itself had ended its live session
 */
record Verdict(List<Violation> violations, int faults, int revokedAlive) {}
