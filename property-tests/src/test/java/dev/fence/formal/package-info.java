/** The formal model, checked by TLC. */
@NullMarked
package dev.fence.formal;

import org.jspecify.annotations.NullMarked;
