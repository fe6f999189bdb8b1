package dev.fence.reconcile;

import java.io.IOException;

/** Takes findings, in the order of the keys, on the thread that compares. */
@FunctionalInterface
public interface FindingSink {

    /**
     * Takes one finding.
     *
     * @throws IOException ends the comparison
     */
    void accept(Finding finding) throws IOException;
}
