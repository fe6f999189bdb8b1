/** Draws a timeline: lanes from left to right, time from top to bottom, one row for each thing that happens. */
@NullMarked
package dev.fence.picture;

import org.jspecify.annotations.NullMarked;
