package dev.fence;

import dev.fence.spi.Checks;

/**
 * A resource that is sealed with the lease of each new leader, before it is told.
 *
 * @param fence remembers the newest leader
 * @param name of the resource, 1 to 255 UTF-8 bytes, without control characters; its guard must have been
 *     {@linkplain Fence#create created}
 * @param <C> what a body writes with
 */
public record ElectionResource<C>(Fence<C> fence, String name) {

    /** @throws IllegalArgumentException if the name breaks its rule */
    public ElectionResource {
        Checks.name("resource name", name);
    }
}
