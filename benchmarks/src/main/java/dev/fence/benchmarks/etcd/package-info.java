/** What leases from etcd cost, beside a bare put and beside etcd's own locks. Run by {@code script/bench etcd}. */
@NullMarked
package dev.fence.benchmarks.etcd;

import org.jspecify.annotations.NullMarked;
