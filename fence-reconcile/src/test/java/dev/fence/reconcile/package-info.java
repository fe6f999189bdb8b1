@NullMarked
package dev.fence.reconcile;

import org.jspecify.annotations.NullMarked;
