@NullMarked
package dev.fence.guard;

import org.jspecify.annotations.NullMarked;
