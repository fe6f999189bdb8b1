/** What fencing costs, measured against the plain operation in the same run. Run by {@code script/bench}; never published. */
@NullMarked
package dev.fence.benchmarks;

import org.jspecify.annotations.NullMarked;
