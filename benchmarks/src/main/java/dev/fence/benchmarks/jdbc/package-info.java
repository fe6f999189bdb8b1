/** What a fenced write to PostgreSQL costs beside the plain one and beside what people do instead: {@code script/bench jdbc}. */
@NullMarked
package dev.fence.benchmarks.jdbc;

import org.jspecify.annotations.NullMarked;
