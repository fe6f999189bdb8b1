/**
 * Compares the journal of effects with the provider's own statement, line by line, in constant memory. Start with {@link
 * dev.fence.reconcile.Reconciliation}.
 */
@NullMarked
package dev.fence.reconcile;

import org.jspecify.annotations.NullMarked;
