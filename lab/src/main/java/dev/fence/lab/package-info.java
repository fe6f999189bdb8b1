/**
 * The lab: what people lock with, what they write to and what goes wrong, in every combination, as timelines that a seed
 * decides to the byte. {@link dev.fence.lab.Lab} prints which combinations lost something, and how.
 *
 * <p>Nothing here is the real thing. The models are as small as the argument allows, so that a timeline can be followed by
 * eye; that the real parts behave like the models of ours is for the property tests and the integration tests to show.
 */
@NullMarked
package dev.fence.lab;

import org.jspecify.annotations.NullMarked;
