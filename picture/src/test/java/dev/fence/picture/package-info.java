@NullMarked
package dev.fence.picture;

import org.jspecify.annotations.NullMarked;
