@NullMarked
package dev.fence.examples.money;

import org.jspecify.annotations.NullMarked;
