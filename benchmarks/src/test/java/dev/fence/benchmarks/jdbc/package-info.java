@NullMarked
package dev.fence.benchmarks.jdbc;

import org.jspecify.annotations.NullMarked;
