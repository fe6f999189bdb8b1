/**
 * Leases from etcd. Applications use {@link dev.fence.etcd.EtcdLeases} and {@link dev.fence.etcd.EtcdSettings}.
 *
 * <p>How it works, from the outside in: {@code EtcdLeases} keeps one {@code EtcdSession}. An {@code Acquisition} queues up, stands
 * in the queue of its name as a {@code QueueWait}, and leaves it by a {@code Departure}; what it was granted is kept by a
 * {@code HeldKey}. {@code QueueRequests} has every request that touches the queue, {@code Keys} and {@code QueueValue} what is
 * stored. The protocol is told in {@code docs/leases.md}.
 */
@NullMarked
package dev.fence.etcd;

import org.jspecify.annotations.NullMarked;
