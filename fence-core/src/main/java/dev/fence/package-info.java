/**
 * What an application uses: leases that carry a fencing token, fences that remember the newest holder of a resource,
 * and writers whose writes take effect only while their own grant is the newest.
 *
 * <p>Start with {@link dev.fence.Leases}, {@link dev.fence.Lease}, {@link dev.fence.Fence},
 * {@link dev.fence.FencedWriter}, {@link dev.fence.FencingToken} and {@link dev.fence.FenceException}.
 */
@NullMarked
package dev.fence;

import org.jspecify.annotations.NullMarked;
