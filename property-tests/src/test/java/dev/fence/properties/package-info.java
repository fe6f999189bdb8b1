/**
 * Random timelines of two to four processes that share one resource, and the invariants that must hold in each of them.
 *
 * <p>A {@link dev.fence.properties.Timeline} is data. A {@link dev.fence.properties.World} plays it, in virtual time and one
 * event after the other, against a {@link dev.fence.properties.Subject}: the model of the guard, the real one, or a twin that
 * must fail. What happened is a {@link dev.fence.properties.History}, over which each
 * {@link dev.fence.properties.Invariant} is judged. A {@link dev.fence.properties.Search} tries many timelines and shrinks
 * the first that violates one.
 */
@NullMarked
package dev.fence.properties;

import org.jspecify.annotations.NullMarked;
