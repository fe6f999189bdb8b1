@NullMarked
package dev.fence.stress;

import org.jspecify.annotations.NullMarked;
