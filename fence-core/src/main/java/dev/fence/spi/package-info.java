/**
 * What lease modules and resource modules are built from. Applications do not need it.
 *
 * <p>A lease module keeps a {@link dev.fence.spi.SessionClock} and hands out {@link dev.fence.spi.ManagedLease}s over its
 * {@link dev.fence.spi.LeaseBackend}; a resource module writes on behalf of a {@link dev.fence.spi.Mandate}.
 */
@NullMarked
package dev.fence.spi;

import org.jspecify.annotations.NullMarked;
