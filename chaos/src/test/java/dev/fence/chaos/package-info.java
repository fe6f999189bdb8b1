@NullMarked
package dev.fence.chaos;

import org.jspecify.annotations.NullMarked;
