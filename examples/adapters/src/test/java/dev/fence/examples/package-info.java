@NullMarked
package dev.fence.examples;

import org.jspecify.annotations.NullMarked;
