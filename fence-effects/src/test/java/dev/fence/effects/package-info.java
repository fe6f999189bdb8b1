@NullMarked
package dev.fence.effects;

import org.jspecify.annotations.NullMarked;
